import { withTimeout } from './with-timeout.js';

it('A promise with a timeout resolves in time, or rejects with the name of the late work', async () => {
  expect(await withTimeout(1_000, 'a lookup', Promise.resolve(1))).toBe(1);
  await expect(withTimeout(5, 'a lookup', new Promise(() => undefined))).rejects.toThrow(
    'a lookup took longer than 5 ms',
  );
});
