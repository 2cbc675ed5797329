import { MemoryEventStore, newEventId } from '@tillstream/event-store';
import fc from 'fast-check';
import { setImmediate as turn } from 'node:timers/promises';
import { ConsumerGroup } from './consumer.group.js';
import { MemoryLeases, RecordedEffects, RecordedLog } from './testing/index.js';

type Step =
  | { readonly kind: 'Append'; readonly category: 'test' | 'other'; readonly count: number }
  /** A process handles pages in the background, with `turns` event loop turns between the read and the commit of a page. */
  | { readonly kind: 'Run'; readonly process: number; readonly pages: number; readonly turns: number }
  /** A process dies between the read of a page and its commit, or right after the commit. */
  | { readonly kind: 'Kill'; readonly process: number; readonly after: boolean }
  | { readonly kind: 'Wait'; readonly turns: number };

const small = (max: number) => fc.integer({ min: 1, max });
const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    fc.record({
      kind: fc.constant('Append' as const),
      category: fc.constantFrom('test', 'other'),
      count: small(6),
    }),
    fc.record({ kind: fc.constant('Run' as const), process: fc.nat(1), pages: small(4), turns: fc.nat(3) }),
    fc.record({ kind: fc.constant('Kill' as const), process: fc.nat(1), after: fc.boolean() }),
    fc.record({ kind: fc.constant('Wait' as const), turns: small(5) }),
  ),
  { maxLength: 30 },
);

class Killed extends Error {}

/** Two processes that share one table. */
class World {
  readonly store = new MemoryEventStore();
  readonly effects = new RecordedEffects();
  /** Counts the starts of each process. A killed process writes nothing more, and a new one takes its place. */
  readonly lives = [0, 0];
  turns = 0;

  constructor(
    private readonly pageSize: number,
    private readonly stopAfter: number | undefined,
  ) {}

  process(number: number): ConsumerGroup {
    const life = this.lives[number];
    const before = async (): Promise<void> => {
      for (let left = this.turns; left > 0; left--) await turn();
      if (this.lives[number] !== life) throw new Killed();
    };
    const stop = this.stopAfter === undefined ? {} : { stopAfter: this.stopAfter };
    const consumer = this.effects.events('counter', { pageSize: this.pageSize, before, ...stop });
    const parts = { store: this.store, leases: new MemoryLeases(), lease: 'tests', log: new RecordedLog() };
    return new ConsumerGroup({ ...parts, consumers: [consumer] });
  }

  async append(category: string, count: number): Promise<void> {
    const events = Array.from({ length: count }, () => ({
      id: newEventId(),
      type: 'T',
      data: {},
      metadata: {},
    }));
    await this.store.append({ stream: `${category}-1`, expected: 'any', events });
  }
}

it('Two processes handle every event exactly once and in order, with any kills and pauses', async () => {
  const size = fc.record({ pageSize: small(7), stopAfter: fc.option(small(7), { nil: undefined }) });
  await fc.assert(
    fc.asyncProperty(steps, size, async (todo, { pageSize, stopAfter }) => {
      const world = new World(pageSize, stopAfter);
      const processes = [world.process(0), world.process(1)];
      const running: Promise<unknown>[] = [];
      for (const step of todo) {
        if (step.kind === 'Append') await world.append(step.category, step.count);
        if (step.kind === 'Wait') for (let left = step.turns; left > 0; left--) await turn();
        if (step.kind === 'Kill') {
          if (step.after) await turn();
          world.lives[step.process] = (world.lives[step.process] ?? 0) + 1;
          processes[step.process] = world.process(step.process);
        }
        if (step.kind === 'Run') {
          world.turns = step.turns;
          const run = processes[step.process]?.catchUp({ pages: step.pages });
          running.push(
            (run ?? Promise.resolve()).catch((error: unknown) => {
              if (!(error instanceof Killed)) throw error;
            }),
          );
        }
        // After each step the handled events are a prefix of the history, and the checkpoint is the last of them.
        const events = (await world.store.readAll({ categories: ['test'] })).events;
        const handled = world.effects.headers.map(({ position }) => position);
        expect(handled).toEqual(events.slice(0, handled.length).map(({ position }) => position));
        expect(world.effects.checkpoint?.position).toBe(handled.at(-1));
      }
      await Promise.all(running);
      await world.process(0).catchUp();
      const { events } = await world.store.readAll({ categories: ['test'] });
      expect(world.effects.headers.map(({ position }) => position)).toEqual(
        events.map(({ position }) => position),
      );
    }),
    { numRuns: 300 },
  );
});
