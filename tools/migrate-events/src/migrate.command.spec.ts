import { MemoryEventStore } from '@tillstream/event-store';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { migrateCommand, type MigrateEnvironment } from './migrate.command.js';
import { ReusableStore, writeInTurn } from './migration.fixture.js';

describe('the command', () => {
  it('explains itself', async () => {
    expect(await typed(['--from', 'sqlite:x', '--help'])).toEqual({
      code: 0,
      lines: [
        expect.stringMatching(
          /^Usage: npm run --silent migrate-events -- [^]*--verify-only[^]*esdb\+discover/,
        ),
      ],
      errors: [],
      opened: [],
    });
  });

  it.each<[string[], string]>([
    [[], "required option '--from <address>' not specified"],
    [['--from', 'sqlite:a'], "required option '--to <address>' not specified"],
    [
      ['--from', 'events.db', '--to', 'sqlite:b'],
      "argument 'events.db' is invalid. Allowed are sqlite:<data folder",
    ],
    [['--from', 'sqlite:a', '--to', 'sqlite:'], "argument 'sqlite:' is invalid. Allowed are"],
    [
      ['--from', 'sqlite:a', '--to', 'http://b'],
      "option '--to <address>' argument 'http://b' is invalid. Allowed are",
    ],
    [['--from', '--to', 'sqlite:b'], "option '--from <address>' needs a value"],
    [['--from', 'sqlite:a', '--from', 'sqlite:b'], "option '--from' is given twice"],
    [['--from', 'sqlite:a', '--to', 'sqlite:b', '--fast'], "unknown option '--fast'"],
    [['--from=sqlite:a', '--to=sqlite:b', 'sqlite:b'], 'too many arguments'],
    [['--from=sqlite:a', '--to=sqlite:b', '--verify-only=yes'], "'--verify-only=yes'"],
  ])(
    'names the argument that is wrong, shows what is allowed, and opens nothing: %j',
    async (args, message) => {
      const { code, errors, opened } = await typed(args);
      expect([code, errors[0], opened]).toEqual([2, expect.stringContaining(message), []]);
      expect(errors[0]).toContain('esdb+discover://<host>');
    },
  );

  it('opens the source to be read only, and the target too where it only compares', async () => {
    const args = ['--from=esdb://a', '--to', 'esdb://b'];
    expect((await typed(args)).opened).toEqual(['esdb://a, read only', 'esdb://b']);
    expect((await typed([...args, '--verify-only'])).opened).toEqual([
      'esdb://a, read only',
      'esdb://b, read only',
    ]);
  });

  it('says which store can not be opened', async () => {
    const { code, errors, opened } = await typed(
      ['--from=esdb://a', '--to=esdb://nowhere'],
      async (address) => {
        if (address.includes('nowhere')) throw new Error('no server answers at nowhere:2113');
        return new MemoryEventStore();
      },
    );
    expect([code, errors]).toEqual([2, ['--to can not be opened: no server answers at nowhere:2113']]);
    expect(opened).toHaveLength(2);
  });

  it('closes both stores', async () => {
    const stores = [new MemoryEventStore(), new MemoryEventStore()];
    const left = [...stores];
    await typed(['--from=esdb://a', '--to=esdb://b'], async () => left.shift() ?? new MemoryEventStore());
    for (const store of stores) await expect(store.readAll()).rejects.toThrow('the store is closed');
  });
});

describe('two addresses of one store', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tillstream-migrate-'));
  mkdirSync(join(folder, 'data'));
  symlinkSync(join(folder, 'data'), join(folder, 'link'));
  afterAll(() => rmSync(folder, { recursive: true }));

  it.each([
    ['esdb://127.0.0.1:2113?tls=false', 'esdb://127.0.0.1:2113'],
    ['esdb://admin:changeit@Host:2113', 'esdb://host?tls=true'],
    ['esdb://a:2113,b:2113', 'esdb+discover://b'],
    [`sqlite:${folder}/data`, `sqlite:${folder}/data/events.db`],
    [`sqlite:${folder}/data`, `sqlite:${folder}/data/../link`],
    [`sqlite:${folder}/link/new.db`, `sqlite:${folder}/data/new.db`],
  ])('are refused: %s and %s', async (from, to) => {
    const { code, errors, opened } = await typed(['--from', from, '--to', to]);
    expect([code, opened]).toEqual([2, []]);
    expect(errors[0]).toMatch(/--from and --to are the same store/);
  });

  it.each([
    ['esdb://127.0.0.1:2113', 'esdb://127.0.0.1:2114'],
    [`sqlite:${folder}/data`, `sqlite:${folder}/other.db`],
    ['sqlite:host', 'esdb://host'],
  ])('are not: %s and %s', async (from, to) => {
    expect((await typed(['--from', from, '--to', to])).code).toBe(0);
  });
});

describe('user and password of an address', () => {
  const secrets = /admin|p@ss|p%40ss|word/;
  const from = 'esdb://admin:p%40ss:word@a:2113?tls=true';
  const to = 'esdb+discover://admin:p@ss/word@b?tls=true';

  it('are in nothing that is said when all goes well', async () => {
    const { lines } = await typed(['--from', from, '--to', to]);
    expect(lines).toEqual([expect.stringContaining('esdb+discover://b holds 0 events')]);
    expect(lines.join()).toContain('as esdb://a:2113 does');
    expect(lines.join()).not.toMatch(secrets);
  });

  it.each([
    ['a driver repeats the address', `could not connect to ${from}`],
    ['a driver repeats the password as it is sent', 'Access denied for admin with p@ss:word'],
    ['a driver repeats another address', 'redirected to esdb://admin:p@ssword@c:2113/x'],
  ])('are in no error, even where %s', async (_, message) => {
    const { code, errors } = await typed(['--from', from, '--to', to], async () => {
      throw new Error(message);
    });
    expect(code).toBe(2);
    expect(errors).toEqual([expect.stringMatching(/^--from can not be opened: .*…/)]);
    expect(errors.join().replace('for admin with', '')).not.toMatch(secrets);
  });

  it.each([
    [['--from', 'admin:p@ssword@a:2113']],
    [['--from=esdb:/admin:p@ssword@a:2113']],
    [['esdb://admin:p@ssword@a:2113']],
    [['--from', from, '--to', 'http://admin:p@ssword@b']],
    [['--from', from, '--to', 'esdb://admin:p@ssword@a']],
  ])('are in no complaint about the arguments: %j', async (args) => {
    const { code, errors } = await typed(args);
    expect(code).toBe(2);
    expect(errors.join()).not.toMatch(secrets);
  });
});

async function typed(args: string[], open: MigrateEnvironment['open'] = async () => new MemoryEventStore()) {
  const lines: string[] = [];
  const errors: string[] = [];
  const opened: string[] = [];
  const code = await migrateCommand(args, {
    open: (address, options) => {
      opened.push(`${address}${options.readOnly ? ', read only' : ''}`);
      return open(address, options);
    },
    terminal: { line: (text) => void lines.push(text), error: (text) => void errors.push(text) },
    signal: new AbortController().signal,
    retryForMs: 0,
  });
  return { code, lines, errors, opened };
}

describe('progress', () => {
  it('is shown on a terminal, and gone at the end', async () => {
    const source = new ReusableStore(new MemoryEventStore());
    await writeInTurn(source, ['a', 'b']);
    let shown = '';
    const screen = new PassThrough({ encoding: 'utf8' }).on('data', (text: string) => (shown += text));
    await migrateCommand(['--from=esdb://a', '--to=esdb://b'], {
      open: async (address) => (address === 'esdb://a' ? source : new MemoryEventStore()),
      terminal: {
        line: () => undefined,
        error: () => undefined,
        screen: Object.assign(screen, { isTTY: true }),
      },
      signal: new AbortController().signal,
    });
    expect(shown).toMatch(/Copying \[.*\x1b\[2K$/s);
  });
});
