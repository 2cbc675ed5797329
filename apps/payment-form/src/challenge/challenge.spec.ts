import { formSession } from '../testing/sessions.fixture.js';
import { challengeOf, isDone } from './challenge.js';

describe('A challenge', () => {
  it('is open while the form waits for the bank', () => {
    const threeDsChallenge = { redirectUrl: 'https://bank.example/acs' };
    expect(challengeOf(formSession({ threeDsChallenge }))?.url.origin).toBe('https://bank.example');
    expect(challengeOf(formSession())).toBeUndefined();
    expect(challengeOf(formSession({ status: 'Completed', threeDsChallenge }))).toBeUndefined();
  });

  it('never runs a script', () => {
    for (const redirectUrl of ['javascript:alert(1)', 'data:text/html,x', '/acs']) {
      expect(challengeOf(formSession({ threeDsChallenge: { redirectUrl } }))).toBeUndefined();
    }
  });
});

describe('The message of the bank’s page', () => {
  it.each([
    [{ source: 'three-ds', type: 'done' }, true],
    [{ source: 'three-ds', type: 'resize' }, false],
    [{ source: 'payment-form', type: 'done' }, false],
    ['done', false],
    [null, false],
  ])('%j says that the customer is done: %s', (data, done) => {
    expect(isDone(data)).toBe(done);
  });
});
