import { errorMessage } from './error-message.js';

describe('errorMessage', () => {
  it('is the message of an error, without its name', () => {
    expect(errorMessage(new TypeError('no number'))).toBe('no number');
  });

  it.each([
    ['no answer', 'no answer'],
    [404, '404'],
    [undefined, 'undefined'],
    [null, 'null'],
  ])('is the text of %j, which is no error', (thrown, text) => {
    expect(errorMessage(thrown)).toBe(text);
  });
});
