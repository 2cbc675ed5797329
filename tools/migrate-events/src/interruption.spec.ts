import { EventStoreError, MemoryEventStore, type ReadAllOptions } from '@tillstream/event-store';
import { contentOf, migrate, ReusableStore, writeInTurn } from './migration.fixture.js';

describe('a migration that is interrupted', () => {
  let source: ReusableStore;
  let target: ReusableStore;

  beforeEach(async () => {
    source = new ReusableStore(new MemoryEventStore());
    target = new ReusableStore(new MemoryEventStore());
    await writeInTurn(source, ['a', 'b', 'a', 'c', 'a']);
  });

  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ])('by %s finishes the append in hand, says how far it came, and ends with %i', async (name, expected) => {
    const interruption = new AbortController();
    const { signal } = interruption;
    target.inject({ kind: 'Delay', ms: 5 });
    target.inject({ kind: 'Delay', ms: 5 }, { before: () => interruption.abort(name) });
    const { code, lines, errors } = await migrate(source, target, { signal });
    expect([code, lines]).toEqual([expected, []]);
    expect(errors).toEqual([
      'Interrupted. esdb://target:2113 holds 2 events of 5, 2 of them copied now. The same command goes on where this one stopped.',
    ]);
    expect(await contentOf(target)).toEqual((await contentOf(source)).slice(0, 2));
    expect((await migrate(source, target)).lines).toEqual([
      expect.stringContaining('3 copied now, 2 there before'),
    ]);
    expect(await contentOf(target)).toEqual(await contentOf(source));
  });

  it('before it wrote anything says so', async () => {
    const { code, errors } = await migrate(source, target, { signal: AbortSignal.abort('SIGINT') });
    expect([code, errors]).toEqual([130, [expect.stringMatching(/^Interrupted\. Nothing was written\./)]]);
  });

  it('while it waits for a store that does not answer ends at once', async () => {
    const interruption = new AbortController();
    target.inject({ kind: 'Unavailable' }, { times: Infinity });
    setTimeout(() => interruption.abort('SIGINT'), 100);
    const since = performance.now();
    const { code } = await migrate(source, target, { signal: interruption.signal, retryForMs: 60_000 });
    expect(code).toBe(130);
    expect(performance.now() - since).toBeLessThan(5_000);
  });

  it.each([true, false])(
    'by a lost answer (written: %s) repeats the append as it was until it is definite, and nothing overtakes it',
    async (written) => {
      target.inject({ kind: 'LoseAnswer', written }, { times: 2, when: ({ stream }) => stream === 'test-b' });
      const { code, errors } = await migrate(source, target, { retryForMs: 10_000 });
      expect(code).toBe(0);
      expect(errors).toEqual([
        'The target can not be used now: injected: the answer was lost. Trying again.',
      ]);
      const [, lost, again, last] = target.appends;
      expect([again, last]).toEqual([lost, lost]);
      expect(await contentOf(target)).toEqual(await contentOf(source));
    },
  );

  it('by a store that does not answer for longer than the retries last stops with 2, and the same command goes on', async () => {
    target.inject(
      { kind: 'LoseAnswer', written: true },
      { times: Infinity, when: ({ stream }) => stream === 'test-b' },
    );
    const { code, errors } = await migrate(source, target, { retryForMs: 200 });
    expect(code).toBe(2);
    expect(errors.at(-1)).toMatch(
      /^Stopped: injected: the answer was lost \(the last append may be written\)\. esdb:\/\/target:2113 holds 1 event of 5, .*The same command goes on/,
    );
    target.clearFaults();
    expect((await migrate(source, target)).lines).toEqual([
      expect.stringContaining('3 copied now, 2 there before'),
    ]);
    expect(await contentOf(target)).toEqual(await contentOf(source));
  });

  it('in its reading goes on when the store answers again', async () => {
    let failures = 2;
    class Flaky extends ReusableStore {
      override readAll(options?: ReadAllOptions) {
        if (failures-- > 0) throw new EventStoreError('Unavailable', 'not now');
        return super.readAll(options);
      }
    }
    const { code, errors } = await migrate(new Flaky(source), target, { retryForMs: 10_000 });
    expect([code, errors]).toEqual([0, ['The source can not be used now: not now. Trying again.']]);
  });

  it('by another writer to the target stops with 2: what it wrote is compared by the next run', async () => {
    target.inject({ kind: 'Conflict' }, { when: ({ stream }) => stream === 'test-c' });
    const { code, errors } = await migrate(source, target);
    expect([code, errors]).toEqual([
      2,
      [
        expect.stringMatching(
          /stream test-c does not exist in the target and should not exist: something else wrote/,
        ),
      ],
    ]);
    await writeInTurn(target, ['x']);
    const again = await migrate(source, target);
    expect([again.code, again.errors]).toEqual([
      1,
      [expect.stringMatching(/event 4: .* the target .*test-x/)],
    ]);
  });
});
