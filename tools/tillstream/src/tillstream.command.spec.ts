import { existsSync } from 'node:fs';
import { DataDirectoryFixture } from './data-directory.fixture.js';

describe('The command line', () => {
  let fixture: DataDirectoryFixture;

  beforeEach(() => {
    fixture = new DataDirectoryFixture({ PORT: '0' });
  });
  afterEach(() => fixture.remove());

  it('lists its commands with a line each, and every one of its own has a help', async () => {
    const { code, out } = await fixture.run('--help');
    expect(code).toBe(0);
    for (const name of [
      'status',
      'keys',
      'merchants',
      'export',
      'verify',
      'audit',
      'rebuild',
      'vault',
      'begin-anew',
    ])
      expect(out).toMatch(new RegExp(`^  ${name} .* \\w+`, 'm'));
    for (const name of ['status', 'keys', 'merchants', 'export', 'report', 'begin-anew']) {
      const help = expect.stringMatching(
        new RegExp(`^Usage: npm run --silent tillstream -- ${name} `),
      ) as string;
      expect(await fixture.run(name, '--help')).toEqual({ code: 0, out: help, err: '' });
      expect(await fixture.run('help', name)).toEqual({ code: 0, out: help, err: '' });
    }
  });

  it.each([
    [[], 'Usage: npm run --silent tillstream'],
    [['stauts'], "unknown command 'stauts'\n(Did you mean status?)"],
    [['expotr'], '(Did you mean export?)'],
    [['toString'], "unknown command 'toString'"],
    [['4242424242424242'], "unknown command '…'"],
    [['status', 'now'], "too many arguments for 'status'. Expected 0 arguments but got 1."],
    [['status', '--url', 'ftp://host'], 'That is no address of a service; allowed is http:// or https://'],
    [['status', '--url', 'http://me:hunter2@host'], 'That is no address of a service'],
    [['status', '--url'], "option '--url <address>' argument missing"],
    [['status', '--json=yes'], "unknown option '--json=yes'"],
    [['status', '--json', '--json'], "option '--json' is given twice"],
    [['status', '--colour'], "unknown option '--colour'"],
    [['keys'], 'Usage: npm run --silent tillstream -- keys '],
    [['keys', 'zzzzzz'], "unknown command 'zzzzzz'"],
    [['keys', 'isue'], '(Did you mean issue?)'],
    [['keys', 'issue'], "required option '--name <name>' not specified"],
    [['keys', 'issue', '--name', ''], 'It must have 1 to 100 characters'],
    [['keys', 'issue', '--name', '--json'], "option '--name <name>' needs a value; write --name=…"],
    [['keys', 'issue', '--name', 'Ada', '--read-only'], '--read-only needs --merchant'],
    [['keys', 'rotate'], "missing required argument 'name|id'"],
    [['keys', 'rotate', 'a', 'b'], 'too many arguments'],
    [['keys', 'rotate', 'a', '--merchant', 'mer_1'], 'for a merchant, issue another key'],
    [
      ['keys', 'revoke', 'a', '--merchant', `mer_${'0'.repeat(26)}`, '--reason', 'x'],
      'cannot be used with option',
    ],
    [['keys', 'list', '--name', 'x'], "unknown option '--name'"],
    [
      ['keys', 'list', '--merchant', 'mer_1'],
      'That is no id of a merchant; allowed is mer_ and 26 characters.',
    ],
    [['export'], "missing required argument 'trx_…'"],
    [
      ['export', '4242424242424242'],
      'That is no id of a transaction; allowed is trx_ and 26 characters, the 24th of them P or T.',
    ],
    [['merchants'], 'list [options]'],
    [['merchants', 'lits'], '(Did you mean list?)'],
    [['merchants', 'show', 'x'], 'That is no id of a merchant'],
    [
      ['merchants', 'list', '--limit', '0'],
      "option '--limit <count>' argument '0' is invalid. Allowed are 1 to 1000.",
    ],
  ])(
    'refuses %j with exit code 2, shows the allowed values, and repeats no long number',
    async (args, sentence) => {
      const { code, out, err } = await fixture.run(...args);
      expect([code, out]).toEqual([2, '']);
      expect(err.replace(/\s+/g, ' ')).toContain(sentence.replace(/\s+/g, ' '));
      expect(err).toContain('Usage: npm run --silent tillstream');
      expect(err).not.toMatch(/\d{12}|hunter2|\n {4}at /);
    },
  );

  it.each([
    ['--name', ['keys', 'issue', '--name', 'card 4242 4242 4242 4242']],
    ['--actor', ['keys', 'issue', '--name', 'x', '--actor', `ak_${'a1'.repeat(16)}`]],
  ])('keeps no card number and no key in history by way of %s', async (option, args) => {
    const { code, err } = await fixture.run(...args);
    expect([code, err]).toEqual([
      2,
      expect.stringMatching(new RegExp(`${option} .* It has something in it that looks like`)),
    ]);
  });

  it('makes nothing where nothing is: a data directory that is missing stays so', async () => {
    const missing = `${fixture.directory}/none`;
    const elsewhere = new DataDirectoryFixture({ DATA_DIR: missing, PORT: '0' });
    for (const args of [
      ['keys', 'list'],
      ['keys', 'issue', '--name', 'x'],
      ['merchants', 'list'],
    ]) {
      expect(await elsewhere.run(...args)).toEqual({
        code: 1,
        out: '',
        err: `There is no DATA_DIR "${missing}" yet; the service's first start makes it.`,
      });
    }
    expect((await fixture.run('keys', 'list')).err).toMatch(/^There is no events\.db in DATA_DIR/);
    expect(existsSync(missing)).toBe(false);
    await elsewhere.remove();
  });

  it('says which setting is wrong, and ends with 2', async () => {
    const wrong = new DataDirectoryFixture({ EVENT_STORE: 'paper' });
    const { code, err } = await wrong.run('status');
    expect([code, err]).toEqual([2, expect.stringMatching(/^EVENT_STORE is "paper"; allowed is /)]);
    await wrong.remove();
  });

  it('passes verify, audit, rebuild and vault to their tools, help included', async () => {
    await fixture.run('verify', '/backup');
    await fixture.run('audit', '--check', 'fees');
    await fixture.run('rebuild', '--projection', 'transactions', '--check');
    await fixture.run('vault', '--help');
    expect(fixture.toolCalls).toEqual([
      ['verify', ['/backup']],
      ['audit', ['--check', 'fees']],
      ['rebuild', ['--projection', 'transactions', '--check']],
      ['vault-keys', ['--help']],
    ]);
  });
});
