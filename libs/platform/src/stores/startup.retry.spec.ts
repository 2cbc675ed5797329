import { EventStoreError } from '@tillstream/event-store';
import { retryWhileUnavailable } from './startup.retry.js';

const unavailable = new EventStoreError('Unavailable', 'the server finds nothing to send');

describe('A step of the start', () => {
  const configWith = (wait: number, eventStore: 'sqlite' | 'eventstoredb' = 'eventstoredb') => ({
    eventStore,
    eventStoreDb: { url: undefined, deadline: 100, wait },
  });

  /** A step that fails `times` times, and then resolves with the number of its runs. */
  const failing = (times: number, error: Error) => {
    let runs = 0;
    const step = (): Promise<number> => {
      runs += 1;
      return runs <= times ? Promise.reject(error) : Promise.resolve(runs);
    };
    return { step, runs: () => runs };
  };

  it('is repeated while EventStoreDB is not available', async () => {
    await expect(retryWhileUnavailable(configWith(5_000), failing(2, unavailable).step)).resolves.toBe(3);
  });

  it('ends with the last error when the wait is over', async () => {
    const { step, runs } = failing(Infinity, unavailable);
    await expect(retryWhileUnavailable(configWith(700), step)).rejects.toBe(unavailable);
    expect(runs()).toBe(2);
  });

  it.each([
    ['another error of the store', new EventStoreError('Invalid', 'a stream was deleted'), 'eventstoredb'],
    ['an append that may have been written', new EventStoreError('Unknown', 'no answer'), 'eventstoredb'],
    ['an error of the embedded store', unavailable, 'sqlite'],
  ] as const)('is not repeated after %s', async (_, error, eventStore) => {
    const { step, runs } = failing(1, error);
    await expect(retryWhileUnavailable(configWith(5_000, eventStore), step)).rejects.toBe(error);
    expect(runs()).toBe(1);
  });
});
