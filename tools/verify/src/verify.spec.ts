import { newEventId, transact } from '@tillstream/event-store';
import { openSqliteEventStore, type SqliteEventStore } from '@tillstream/event-store-sqlite';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { verifyCommand } from './verify.command.js';

describe('verify', () => {
  let folder = '';
  let store: SqliteEventStore;

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'tillstream-verify-'));
    store = await openSqliteEventStore({ file: join(folder, 'events.db') });
    for (let round = 0; round < 2; round++) {
      for (const stream of ['payment-1', 'payment-2', 'token-1']) await write(stream);
    }
  });

  afterEach(async () => {
    await store.close();
    rmSync(folder, { recursive: true });
  });

  it('says how many events and streams are intact, given the folder or the file, while the service runs', async () => {
    const intact = `${join(folder, 'events.db')}: 12 events in 3 streams, every chain intact`;
    expect(await verify([folder])).toEqual({ code: 0, lines: [intact], errors: [] });
    expect(await verify([join(folder, 'events.db')])).toEqual({ code: 0, lines: [intact], errors: [] });
    expect(await verify([`sqlite:${folder}`])).toEqual({ code: 0, lines: [intact], errors: [] });
    expect(await verify([], { DATA_DIR: folder })).toEqual({ code: 0, lines: [intact], errors: [] });
  });

  it.each([
    [
      'a changed amount',
      `UPDATE events SET data = '{"number":999}' WHERE stream = 'payment-2' AND revision = 1`,
      1,
      'its hash is',
    ],
    [
      'a changed type',
      `UPDATE events SET type = 'Refunded' WHERE stream = 'payment-2' AND revision = 2`,
      2,
      'its hash is',
    ],
    [
      'a removed event',
      `DELETE FROM events WHERE stream = 'payment-2' AND revision = 1`,
      2,
      'revision 1 should come here',
    ],
    [
      'a removed hash',
      `UPDATE events SET metadata = '{}' WHERE stream = 'payment-2' AND revision = 0`,
      0,
      'it has no hash',
    ],
    [
      'data that are no JSON',
      `UPDATE events SET data = '{"x":' WHERE stream = 'payment-2' AND revision = 2`,
      2,
      'its data is no JSON object',
    ],
    [
      'metadata that are no object',
      `UPDATE events SET metadata = 'null' WHERE stream = 'payment-2' AND revision = 2`,
      2,
      'its metadata is no JSON object',
    ],
    [
      'another stream',
      `UPDATE events SET stream = 'payment-3' WHERE stream = 'payment-2' AND revision = 3`,
      3,
      'revision 0 should',
    ],
  ])('names the first broken event: %s', async (_, sql, revision, problem) => {
    await tamper(sql);
    const { code, lines, errors } = await verify([folder]);
    expect([code, lines]).toEqual([1, []]);
    expect(errors).toEqual([
      expect.stringMatching(
        `BROKEN at stream payment-[23], revision ${revision}, event [0-9a-f-]{36}: ${problem}`,
      ),
    ]);
  });

  it('names the first in the order of the store if several are broken', async () => {
    await tamper(
      `UPDATE events SET type = 'Other' WHERE stream IN ('token-1', 'payment-1') AND revision >= 2`,
    );
    expect((await verify([folder])).errors).toEqual([
      expect.stringContaining('stream payment-1, revision 2'),
    ]);
  });

  it('names the first also where a later one can not be read', async () => {
    await tamper(
      `UPDATE events SET type = 'Other', data = iif(stream = 'token-1', 'x', data)
       WHERE stream IN ('token-1', 'payment-1') AND revision >= 2`,
    );
    expect((await verify([folder])).errors).toEqual([
      expect.stringContaining('stream payment-1, revision 2'),
    ]);
  });

  it('counts its progress for who watches', async () => {
    let seen = '';
    const screen = new PassThrough({ encoding: 'utf8' }).on('data', (text: string) => (seen += text));
    const ignore = (): void => undefined;
    await verifyCommand(
      [folder],
      {},
      { line: ignore, error: ignore, screen: Object.assign(screen, { isTTY: true }) },
    );
    expect(seen).toMatch(/Checking 12 events.*\x1b\[2K$/s);
  });

  it.each([
    [['a', 'b'], 'too many arguments. Expected 1 argument but got 2.'],
    [['--fast'], "unknown option '--fast'"],
    [[''], "argument 'place'. The address is empty"],
  ])('refuses %j and shows how it is used', async (args, complaint) => {
    const { code, errors } = await verify(args);
    expect([code, errors[0]]).toEqual([2, expect.stringContaining(complaint)]);
    expect(errors[0]).toContain('Usage: npm run verify -- [options] [place]');
  });

  it('ends with 2 when it can not check', async () => {
    const missing = await verify([join(folder, 'nowhere')]);
    expect([missing.code, missing.errors]).toEqual([
      2,
      [expect.stringMatching(/^Not checked: .*nowhere\/events\.db can't be opened/)],
    ]);
  });

  it('explains itself', async () => {
    expect(await verify(['--help'])).toEqual({
      code: 0,
      lines: [expect.stringMatching(/^Usage: npm run verify -- [^]*Exit code 0: all intact/)],
      errors: [],
    });
  });

  async function write(stream: string): Promise<void> {
    await transact(store, {
      stream,
      decide: () => ({
        events: [1, 2].map((number) => ({
          id: newEventId(),
          type: 'Counted',
          data: { number },
          metadata: { actor: 'me' },
        })),
        value: undefined,
      }),
    });
  }

  /** Changes the file as an attacker can who may write to it: without the triggers that guard events. */
  async function tamper(sql: string): Promise<void> {
    const run = (text: string) => ({ kind: 'run' as const, sql: text });
    await store.execute([
      run('DROP TRIGGER events_are_never_changed'),
      run('DROP TRIGGER events_are_never_deleted'),
    ]);
    await store.execute([{ ...run(sql), mustChange: true }]);
  }

  async function verify(args: string[], environment = {}) {
    const lines: string[] = [];
    const errors: string[] = [];
    const terminal = {
      line: (text: string) => void lines.push(text),
      error: (text: string) => void errors.push(text),
    };
    return { code: await verifyCommand(args, environment, terminal), lines, errors };
  }
});
