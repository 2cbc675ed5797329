import { openSqliteEventStore } from '@tillstream/event-store-sqlite';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import { writeInterleaved } from './interleaved-history.fixture.js';
import { knownCount } from './log.cursor.js';
import { contentOf } from './migration.fixture.js';
import { formatCount } from '@tillstream/platform/command-line';

const PROGRAM = fileURLToPath(new URL('../dist/main.js', import.meta.url));
/** What a test of processes may take on a machine with much other work. */
const LIMIT_MS = 150_000;
const STREAMS = 4_000;
const EVENTS = 5 * STREAMS;

describe('the program', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tillstream-migrate-'));
  const from = join(folder, 'from.db');
  const children: ChildProcess[] = [];
  let all: Awaited<ReturnType<typeof contentOf>>;

  beforeAll(async () => {
    if (!existsSync(PROGRAM)) throw new Error(`${PROGRAM} is missing: build first (npm run build)`);
    const store = await openSqliteEventStore({ file: from });
    await writeInterleaved(store, STREAMS);
    all = await contentOf(store);
    await store.close();
  });

  afterEach(() => {
    for (const child of children.splice(0)) child.kill('SIGKILL');
  });

  afterAll(() => rmSync(folder, { recursive: true }));

  it(
    'killed in the middle, and once more, leaves a beginning of the source and is finished by the same command',
    async () => {
      const to = join(folder, 'killed.db');
      let before = 0;
      for (const share of [0, 0.25]) {
        const child = start(to);
        const held = await untilMore(to, Math.max(before, EVENTS * share));
        child.process.kill('SIGKILL');
        expect((await child.ended).signal).toBe('SIGKILL');
        before = await expectBeginning(to);
        expect(before).toBeGreaterThanOrEqual(held);
        expect(before).toBeLessThan(EVENTS);
      }
      const { code, output } = await start(to).ended;
      expect([code, output]).toEqual([0, expect.stringContaining('holds 20,000 events in 4,000 streams')]);
      expect(output).toContain(
        `${formatCount(EVENTS - before)} copied now, ${formatCount(before)} there before`,
      );
      expect(await expectBeginning(to)).toBe(EVENTS);
    },
    LIMIT_MS,
  );

  it(
    'ends at a signal (130, 143) after the write in hand, and is finished by the same command',
    async () => {
      const to = join(folder, 'signalled.db');
      let before = 0;
      for (const [name, code] of [
        ['SIGINT', 130],
        ['SIGTERM', 143],
      ] as const) {
        const child = start(to);
        await untilMore(to, before);
        child.process.kill(name);
        const ended = await child.ended;
        expect([ended.code, ended.output]).toEqual([
          code,
          expect.stringMatching(
            /^Interrupted\. .* events of 20,000, .* The same command goes on where this one stopped\.\n$/,
          ),
        ]);
        before = await expectBeginning(to);
        expect(ended.output).toContain(`holds ${formatCount(before)} events of`);
      }
      expect((await start(to).ended).code).toBe(0);
      expect((await start(to, from, '--verify-only').ended).code).toBe(0);
    },
    LIMIT_MS,
  );

  it('names a source that is not there, and makes no target', async () => {
    const to = join(folder, 'unmade.db');
    const { code, output } = await start(to, join(folder, 'nowhere.db')).ended;
    expect([code, output]).toEqual([2, expect.stringMatching(/^--from can not be opened: .*nowhere\.db/)]);
    expect(existsSync(to)).toBe(false);
  });

  function start(to: string, source = from, ...more: string[]) {
    const args = [PROGRAM, '--from', `sqlite:${source}`, '--to', `sqlite:${to}`, ...more];
    const child = spawn(process.execPath, args, { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
    children.push(child);
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => (output += text));
    const ended = once(child, 'close').then(([code, signal]: unknown[]) => ({ code, signal, output }));
    return { process: child, ended };
  }

  /** Waits until another process has written more than so many events, and gives how many it were. */
  async function untilMore(file: string, events: number): Promise<number> {
    for (;;) {
      const held = await heldBy(file);
      if (held > events) return held;
      await pause(2);
    }
  }

  async function heldBy(file: string): Promise<number> {
    try {
      const store = await openSqliteEventStore({ file, readOnly: true });
      try {
        return knownCount(store) ?? 0;
      } finally {
        await store.close();
      }
    } catch {
      // Not made yet, or without its tables.
      return 0;
    }
  }

  async function expectBeginning(file: string): Promise<number> {
    const target = await openSqliteEventStore({ file, readOnly: true });
    try {
      const held = await contentOf(target);
      // Not by `toEqual`: a difference in 20,000 events would take minutes to print.
      expect(isDeepStrictEqual(held, all.slice(0, held.length))).toBe(true);
      return held.length;
    } finally {
      await target.close();
    }
  }
});
