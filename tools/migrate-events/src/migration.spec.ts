import { MemoryEventStore, type Append, type RecordedEvent } from '@tillstream/event-store';
import { contentOf, migrate, ReusableStore, write, writeInTurn } from './migration.fixture.js';

describe('moving a history', () => {
  let source: ReusableStore;
  let target: ReusableStore;

  beforeEach(async () => {
    source = new ReusableStore(new MemoryEventStore());
    target = new ReusableStore(new MemoryEventStore());
    await writeInTurn(source, ['a', 'b', 'b', 'a', 'c', 'a']);
    source.appends.length = 0;
  });

  it('copies every event with its id, content and hash, in the order of the whole store, and says what it did', async () => {
    expect(await migrate(source, target)).toEqual({
      code: 0,
      lines: [
        'esdb://target:2113 holds 6 events in 3 streams as esdb://source:2113 does: same order, same content, every hash chain intact. 6 copied now, 0 there before.',
      ],
      errors: [],
    });
    expect(await contentOf(target)).toEqual(await contentOf(source));
  });

  it('appends neighbours of one stream together, each under the exact revision before it, and writes nothing to the source', async () => {
    await migrate(source, target);
    expect(target.appends.map(({ stream, expected, events }) => [stream, expected, events.length])).toEqual([
      ['test-a', 'none', 1],
      ['test-b', 'none', 2],
      ['test-a', 0, 1],
      ['test-c', 'none', 1],
      ['test-a', 1, 1],
    ]);
    expect(source.appends).toEqual([]);
  });

  it('of nothing is done at once', async () => {
    const { code, lines } = await migrate(new ReusableStore(new MemoryEventStore()), target);
    expect([code, lines]).toEqual([0, [expect.stringContaining('holds 0 events in 0 streams')]]);
  });

  it('goes on where the target ends, and copies nothing twice', async () => {
    await migrate(source, target);
    await writeInTurn(source, ['c', 'd']);
    target.appends.length = 0;
    expect((await migrate(source, target)).lines).toEqual([
      expect.stringMatching(/ holds 8 events in 4 streams .* 2 copied now, 6 there before\.$/),
    ]);
    expect(target.appends).toHaveLength(2);
    expect((await migrate(source, target)).lines).toEqual([
      expect.stringContaining('0 copied now, 8 there before'),
    ]);
    expect(target.appends).toHaveLength(2);
    expect(await contentOf(target)).toEqual(await contentOf(source));
  });

  it('reads histories longer than a page, on both sides', async () => {
    const numbers = Array.from({ length: 240 }, (_, number) => ({ number }));
    for (const stream of ['test-x', 'test-y', 'test-z', 'test-x', 'test-z'])
      await write(source, stream, ...numbers);
    expect((await migrate(source, target)).code).toBe(0);
    expect(target.appends.every(({ events }) => events.length <= 100)).toBe(true);
    await write(source, 'test-y', ...numbers);
    expect((await migrate(source, target)).lines).toEqual([
      expect.stringContaining('240 copied now, 1,206 there before'),
    ]);
    expect(await contentOf(target)).toEqual(await contentOf(source));
  });

  it.each<[string, (events: readonly RecordedEvent[]) => readonly Append[], string]>([
    [
      'another event',
      () => [{ stream: 'test-other', expected: 'none', events: [strange] }],
      `event 1: the source has Counted [0-9a-f-]{36} \\(test-a, revision 0\\), the target Strange ${'0'.repeat(8)}`,
    ],
    [
      'the same events in another order',
      ([a, b]) => [copy(b), copy(a)],
      'event 1: the source has .*test-a, revision 0.*, the target .*test-b, revision 0',
    ],
    [
      'other data',
      ([a, b]) => [copy(a), copy(b, { data: { number: 7 } })],
      'event 2: Counted .*test-b, revision 0\\) has other data',
    ],
    [
      'other metadata',
      ([a, b]) => [copy(a), copy(b, { metadata: { ...b?.metadata, actor: 'you' } })],
      'event 2: Counted .*test-b, revision 0\\) has other metadata',
    ],
    [
      'another type',
      ([a]) => [copy(a, { type: 'Other' })],
      'event 1: Counted .* is of type Other in the target',
    ],
  ])(
    'stops, changes nothing and names the first difference where the target holds %s',
    async (_, held, problem) => {
      const events = (await source.readAll()).events;
      for (const append of held(events)) await target.append(append);
      const before = await contentOf(target);
      const { code, errors } = await migrate(source, target);
      expect(code).toBe(1);
      expect(errors).toEqual([
        expect.stringMatching(
          new RegExp(`^esdb://target:2113 is not as esdb://source:2113: ${problem}.*Nothing was written`),
        ),
      ]);
      expect(await contentOf(target)).toEqual(before);
    },
  );

  it('stops where the target holds more than the source', async () => {
    await migrate(source, target);
    await writeInTurn(target, ['d']);
    const { code, errors } = await migrate(source, target);
    expect([code, errors]).toEqual([
      1,
      [
        expect.stringMatching(
          /after 6 events the source ends, and the target goes on with .*test-d, revision 0/,
        ),
      ],
    ]);
  });

  it('stops at a broken chain of the source, names the event, and copies all before it and nothing after it', async () => {
    const intact = (await contentOf(source)).slice(0, 4);
    const damaged = new ReusableStore(new MemoryEventStore());
    for (const event of (await source.readAll()).events) {
      await damaged.append(copy(event, event.stream === 'test-c' ? { data: { number: 999 } } : {}));
    }
    const { code, lines, errors } = await migrate(damaged, target);
    expect([code, lines]).toEqual([1, []]);
    expect(errors).toEqual([
      expect.stringMatching(
        /^esdb:\/\/source:2113 is BROKEN at stream test-c, revision 0, event [0-9a-f-]{36}: its hash is .* copied\. esdb:\/\/target:2113 holds 4 events of 6, 4 of them copied now/,
      ),
    ]);
    expect(await contentOf(target)).toEqual(intact);
    expect((await migrate(damaged, target)).code).toBe(1);
    expect(await contentOf(target)).toEqual(intact);
  });

  it('reads back what was written: a store that keeps something else is found out', async () => {
    class Forgetful extends ReusableStore {
      override append(append: Append) {
        const events = append.events.map((event) => ({ ...event, data: {} }));
        return super.append(append.stream === 'test-c' ? { ...append, events } : append);
      }
    }
    const { code, errors } = await migrate(source, new Forgetful(new MemoryEventStore()));
    expect([code, errors]).toEqual([
      1,
      [expect.stringMatching(/^All was copied, but .* event 5: .*test-c, revision 0\) has other data/)],
    ]);
  });

  it('copies what was there when it began, which is enough for a copy of a running store', async () => {
    const during = { times: 1, before: () => writeInTurn(source, ['a', 'd']) };
    target.inject({ kind: 'Delay', ms: 0 }, during);
    const { code, lines, errors } = await migrate(source, target, { more: ['--until-now'] });
    expect([code, errors]).toEqual([0, []]);
    expect(lines[0]).toMatch(/holds 6 events.*2 events were added/);
  });

  it('copies what was there when it began, and says how many were added during the run', async () => {
    const during = { times: 1, before: () => writeInTurn(source, ['a', 'd']) };
    target.inject({ kind: 'Delay', ms: 0 }, during);
    const { code, lines, errors } = await migrate(source, target);
    expect([code, lines]).toEqual([1, [expect.stringContaining('holds 6 events')]]);
    expect(errors).toEqual([
      'But 2 events were added to esdb://source:2113 during the run: stop the service and run the same command again.',
    ]);
    expect((await migrate(source, target)).code).toBe(0);
    expect(await contentOf(target)).toEqual(await contentOf(source));
  });

  describe('with --verify-only', () => {
    const verify = () => migrate(source, target, { more: ['--verify-only'] });

    it('says that both are the same', async () => {
      await migrate(source, target);
      target.appends.length = 0;
      const { code, lines } = await verify();
      expect([code, lines]).toEqual([0, [expect.stringMatching(/6 events in 3 streams .* chain intact\.$/)]]);
      expect(target.appends).toEqual([]);
    });

    it('says what the target lacks, and writes nothing', async () => {
      await migrate(source, target);
      await writeInTurn(source, ['d', 'a']);
      target.appends.length = 0;
      const { code, errors } = await verify();
      expect([code, errors]).toEqual([
        1,
        [expect.stringMatching(/after 6 events the target ends; the source has 2 more, first .*test-d/)],
      ]);
      expect(target.appends).toEqual([]);
    });

    it('finds the chain broken that is the same in both', async () => {
      for (const store of [source, target])
        await store.append({ stream: 'test-z', expected: 'none', events: [strange] });
      target = source;
      const { code, errors } = await verify();
      expect([code, errors]).toEqual([
        1,
        [
          expect.stringMatching(
            /BROKEN at stream test-z, revision 0, .*: it has no hash\. It is the same in both/,
          ),
        ],
      ]);
    });
  });
});

const strange = { id: '00000000-0000-4000-8000-000000000000', type: 'Strange', data: {}, metadata: {} };

function copy(event: RecordedEvent | undefined, change: Partial<RecordedEvent> = {}): Append {
  if (event === undefined) throw new Error('there is no such event');
  const { stream, revision } = event;
  return { stream, expected: revision === 0 ? 'none' : revision - 1, events: [{ ...event, ...change }] };
}
