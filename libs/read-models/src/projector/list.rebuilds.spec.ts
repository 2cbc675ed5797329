import { RebuildRefused } from '../read-models.errors.js';
import type { RebuildOptions, RebuildResult } from '../rebuild.types.js';
import { ListRebuilds } from './list.rebuilds.js';

interface Begun {
  readonly options: RebuildOptions;
  end(result: RebuildResult): void;
  fail(error: Error): void;
}

const RESULT = { events: 7, rows: 3, durationMs: 12.4 } as RebuildResult;
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('The rebuilds of lists', () => {
  let now: number;
  let lines: (readonly [event: string, fields: object])[];
  let begun: Begun[];
  let shown: number[];
  let rebuilds: ListRebuilds;

  beforeEach(() => {
    [now, lines, begun, shown] = [0, [], [], []];
    const write = (event: string, fields: object): void => void lines.push([event, fields]);
    rebuilds = new ListRebuilds({
      rebuild: (_, options) =>
        new Promise((end, fail) => {
          options.signal?.addEventListener('abort', () => fail(new Error('aborted')));
          begun.push({ options, end, fail });
        }),
      log: { info: write, warn: write, failed: write },
      now: () => now,
      onChange: (running) => shown.push(running.length),
    });
  });

  it('are begun and logged one at a time for each list', async () => {
    rebuilds.begin('transactions', 4);
    rebuilds.begin('transactions', 4);
    expect(begun).toHaveLength(1);
    await expect(rebuilds.run('transactions')).rejects.toThrow(RebuildRefused);
    begun[0]?.end(RESULT);
    await turn();
    expect(lines).toEqual([
      ['rebuild-began', { projection: 'transactions', from: 4, to: expect.any(Number) as number }],
      ['rebuild-ended', { projection: 'transactions', events: 7, rows: 3, durationMs: 12 }],
    ]);
    expect(shown).toEqual([1, 0]);
  });

  it('begin again 10 s after a failure, and at once on request', async () => {
    rebuilds.begin('holders');
    begun[0]?.fail(new Error('the disk is full'));
    await turn();
    expect(lines.at(-1)).toEqual(['rebuild-failed', { projection: 'holders', reason: 'the disk is full' }]);
    now = 9_999;
    rebuilds.begin('holders');
    expect(begun).toHaveLength(1);
    const requested = rebuilds.run('holders');
    begun[1]?.end(RESULT);
    await expect(requested).resolves.toBe(RESULT);
    now = 10_000;
    rebuilds.begin('holders');
    expect(begun).toHaveLength(3);
  });

  it('are aborted by a stop, which waits for them and lets none begin', async () => {
    rebuilds.begin('transactions');
    const requested = rebuilds.run('holders');
    const stopped = rebuilds.stop();
    await expect(requested).rejects.toThrow('aborted');
    await stopped;
    expect(rebuilds.list()).toEqual([]);
    rebuilds.begin('transactions');
    await expect(rebuilds.run('tokens')).rejects.toThrow(RebuildRefused);
    expect(begun).toHaveLength(2);
    expect(lines.map(([event]) => event)).toEqual(['rebuild-began']);
  });

  it('are shown every second while they report progress', () => {
    void rebuilds.run('transactions');
    for (now = 100; now <= 3_000; now += 100)
      begun[0]?.options.onProgress?.({ phase: 'Reading', events: now, expectedEvents: 10_000 });
    expect(shown).toEqual([1, 1, 1, 1]);
  });
});
