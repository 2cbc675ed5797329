import { MemoryEventStore } from '@tillstream/event-store';
import { setTimeout as sleep } from 'node:timers/promises';
import { ConsumerGroup } from './consumer.group.js';
import { LeadingTask, type RoundResult } from './leader.loop.js';
import type { Leases } from './leases.port.js';
import { MemoryLeases, RecordedLog } from './testing/index.js';

const NEVER_MS = 60_000;

let log: RecordedLog;
const groups: ConsumerGroup[] = [];
beforeEach(() => {
  log = new RecordedLog();
});
afterEach(() => Promise.all(groups.splice(0).map((group) => group.stop())));

function task(run: () => Promise<RoundResult>, everyMs = NEVER_MS): LeadingTask {
  return new LeadingTask({ name: 'sweep', everyMs, run }, log);
}

function startGroup(leases: Leases, ...tasks: readonly LeadingTask[]): ConsumerGroup {
  const group = new ConsumerGroup({
    ...{ store: new MemoryEventStore(), leases, lease: 'tests', log },
    ...{ consumers: [], tasks },
  });
  groups.push(group);
  void group.start();
  return group;
}

/** Counts the runs. Each ends with the next of these outcomes, and later ones are `Idle`. */
function countRuns(...outcomes: readonly (RoundResult | Error)[]) {
  const left = [...outcomes];
  const counter = {
    runs: 0,
    async run(): Promise<RoundResult> {
      counter.runs += 1;
      const outcome = left.shift() ?? 'Idle';
      if (outcome instanceof Error) throw outcome;
      return outcome;
    },
  };
  return counter;
}

async function until(condition: () => boolean, withinMs = 5_000): Promise<number> {
  const startedAt = performance.now();
  while (!condition()) {
    if (performance.now() - startedAt > withinMs) throw new Error(`not within ${withinMs} ms`);
    await sleep(1);
  }
  return performance.now() - startedAt;
}

describe('A task that a leader runs', () => {
  it('runs when this process begins to lead, when it is woken, and again while there is more to do', async () => {
    const counter = countRuns('More', 'More');
    const sweep = task(counter.run);
    startGroup(new MemoryLeases(), sweep);
    await until(() => counter.runs === 3);
    await sleep(20);
    expect(counter.runs).toBe(3);
    sweep.wake();
    expect(await until(() => counter.runs === 4)).toBeLessThan(1_000);
  });

  it('runs after its longest pause without a wake-up', async () => {
    const counter = countRuns();
    startGroup(new MemoryLeases(), task(counter.run, 40));
    await until(() => counter.runs >= 4, 1_000);
  });

  it('runs once more if it was woken while it ran', async () => {
    const counter = countRuns();
    const sweep = task(async () => {
      if (counter.runs === 0) sweep.wake();
      return counter.run();
    });
    startGroup(new MemoryLeases(), sweep);
    await until(() => counter.runs === 2);
    await sleep(20);
    expect(counter.runs).toBe(2);
  });

  it('repeats a failed run after growing pauses, and reports the failure once', async () => {
    const full = new Error('the disk is full');
    const counter = countRuns(full, full, full);
    startGroup(new MemoryLeases(), task(counter.run));
    const tookMs = await until(() => counter.runs === 4);
    expect(tookMs).toBeGreaterThan(100 + 200 + 400 - 20);
    await until(() => log.lines.length === 2);
    expect(log.lines).toEqual(['sweep fails: the disk is full', 'sweep recovered']);
  });

  it('does not delay the other tasks', async () => {
    const counter = countRuns();
    let release = (): void => undefined;
    const stuck = task(() => new Promise((resolve) => (release = () => resolve('Idle'))));
    startGroup(new MemoryLeases(), stuck, task(counter.run, 10));
    await until(() => counter.runs > 3);
    release();
  });
});

describe('Of two processes', () => {
  it('one runs the task, and the other takes over after an orderly stop, which waits for the current run', async () => {
    const leases = new MemoryLeases();
    const events: string[] = [];
    const named = (name: string, ms: number) =>
      task(async () => {
        events.push(`${name} begins`);
        await sleep(ms);
        events.push(`${name} ends`);
        return 'Idle';
      });
    const first = startGroup(leases, named('first', 100));
    await until(() => events.length === 1);
    startGroup(leases.otherHolder(), named('second', 0));
    await sleep(20);
    await first.stop();
    expect(events).toEqual(['first begins', 'first ends']);
    await until(() => events.length === 4, 2_500);
    expect(events.slice(2)).toEqual(['second begins', 'second ends']);
  });

  it('one that was paused while the other took the lead starts no further run', async () => {
    let mine = true;
    const leases: Leases = {
      hold: async () => mine,
      release: async () => undefined,
      isHeld: async () => true,
    };
    let resume = (): void => undefined;
    let runs = 0;
    const sweep = task(async () => {
      runs += 1;
      await new Promise<void>((resolve) => (resume = resolve));
      return 'More';
    });
    const group = startGroup(leases, sweep);
    await until(() => runs === 1);
    mine = false;
    await until(() => !group.leads);
    resume();
    sweep.wake();
    await sleep(50);
    expect(runs).toBe(1);
  });

  it('one that cannot read its lease does not lead, reports it once, and leads again afterwards', async () => {
    let broken = true;
    const memory = new MemoryLeases();
    const hold = async (name: string, leaseMs: number): Promise<boolean> => {
      if (broken) throw new Error('no such table');
      return memory.hold(name, leaseMs);
    };
    const counter = countRuns();
    const group = startGroup(
      { hold, release: (name) => memory.release(name), isHeld: (name) => memory.isHeld(name) },
      task(counter.run),
    );
    await sleep(1_200);
    expect([group.leads, counter.runs]).toEqual([false, 0]);
    broken = false;
    await until(() => counter.runs === 1);
    expect(log.lines).toEqual(["tests fails: its lease can't be taken: no such table", 'tests recovered']);
  });

  it('one whose lease request gets no answer stops leading when the lease has run out', async () => {
    let requests = 0;
    const hold = (): Promise<boolean> =>
      requests++ === 0 ? Promise.resolve(true) : new Promise((resolve) => setTimeout(resolve, 6_000, true));
    const group = startGroup({ hold, release: async () => undefined, isHeld: async () => true });
    await until(() => group.leads);
    expect(await until(() => !group.leads, 6_000)).toBeGreaterThan(4_000);
  }, 20_000);
});
