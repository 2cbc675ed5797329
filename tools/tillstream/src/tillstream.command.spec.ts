import { existsSync } from 'node:fs';
import { Site } from './site.fixture.js';
import { COMMANDS } from './tillstream.command.js';

describe('The command line', () => {
  let site: Site;

  beforeEach(() => {
    site = new Site({ PORT: '0' });
  });
  afterEach(() => site.remove());

  it('lists its commands with a line each, and every one of its own has a help', async () => {
    const { code, out } = await site.run('--help');
    expect(code).toBe(0);
    for (const [name, { summary, help }] of Object.entries(COMMANDS)) {
      expect(out).toContain(`  ${name.padEnd(10)} ${summary}\n`);
      if (help === undefined) continue;
      expect(help).toContain(`npm run --silent tillstream -- ${name}`);
      expect(await site.run(name, '--help')).toEqual({ code: 0, out: help, err: '' });
      expect(await site.run('help', name)).toEqual({ code: 0, out: help, err: '' });
    }
  });

  it.each([
    [[], 'Usage: npm run --silent tillstream'],
    [['stauts'], 'There is no command "stauts"; did you mean "status"? (See --help.)'],
    [['exp'], 'did you mean "export"?'],
    [['toString'], 'There is no command "toString"; allowed are status, keys,'],
    [['4242424242424242'], 'There is no command "…"; allowed are'],
    [['status', 'now'], 'Nothing more is allowed here than options. (See status --help.)'],
    [['status', '--url', 'ftp://host'], '--url is no address of a service; allowed is http:// or https://'],
    [['status', '--url', 'http://me:secret@host'], '--url is no address of a service'],
    [['status', '--url'], '--url needs a value'],
    [['status', '--json=yes'], '--json takes no value.'],
    [['status', '--json', '--json'], '--json is given twice'],
    [['status', '--colour'], '--colour is no option here; allowed are --url …, --json and --help.'],
    [['keys'], 'What to do with keys is missing; allowed are list, issue, rotate, revoke.'],
    [['keys', 'zzzzzz'], 'keys has no "zzzzzz"; allowed are list, issue, rotate, revoke. (See keys --help.)'],
    [['keys', 'isue'], 'keys has no "isue"; did you mean "issue"?'],
    [['keys', 'issue'], '--name is missing'],
    [['keys', 'issue', '--name', ''], '--name must have 1 to 100 characters'],
    [
      ['keys', 'issue', '--name', '--json'],
      '--name needs a value; one that begins with a dash is given as --name=….',
    ],
    [['keys', 'issue', '--name', 'Ada', '--read-only'], '--read-only needs --merchant.'],
    [['keys', 'rotate'], 'NAME|ID is missing.'],
    [['keys', 'rotate', 'a', 'b'], 'Nothing is allowed after NAME|ID.'],
    [['keys', 'rotate', 'a', '--merchant', 'mer_1'], 'rotate takes no --merchant: issue another key'],
    [['keys', 'list', '--name', 'x'], '--name means nothing to keys list.'],
    [
      ['keys', 'list', '--merchant', 'mer_1'],
      '--merchant is no id of a merchant; allowed is mer_ and 26 characters.',
    ],
    [['export'], 'trx_… is missing.'],
    [
      ['export', '4242424242424242'],
      'That is no id of a transaction; allowed is trx_ and 26 characters, the 24th of them P or T.',
    ],
    [['merchants'], 'What to do with merchants is missing; allowed are list, show. (See merchants --help.)'],
    [['merchants', 'lits'], 'merchants has no "lits"; did you mean "list"?'],
    [['merchants', 'show', 'x'], 'That is no id of a merchant'],
    [['merchants', 'list', '--limit', '0'], '--limit is no number that is allowed; allowed are 1 to 1000.'],
  ])('refuses %j with 2 and one sentence, and repeats no long number', async (args, sentence) => {
    const { code, out, err } = await site.run(...args);
    expect([code, out]).toEqual([2, '']);
    expect(err).toContain(sentence);
    expect(err).not.toMatch(/\d{12}|secret|\n {4}at /);
  });

  it.each([
    ['--name', ['keys', 'issue', '--name', 'card 4242 4242 4242 4242']],
    ['--actor', ['keys', 'issue', '--name', 'x', '--actor', `ak_${'a1'.repeat(16)}`]],
  ])('keeps no card number and no key in history by way of %s', async (option, args) => {
    const { code, err } = await site.run(...args);
    expect([code, err]).toEqual([
      2,
      expect.stringContaining(`${option} has something in it that looks like`),
    ]);
  });

  it('makes nothing where nothing is: a data directory that is missing stays so', async () => {
    const missing = `${site.directory}/none`;
    const elsewhere = new Site({ DATA_DIR: missing, PORT: '0' });
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
    expect((await site.run('keys', 'list')).err).toMatch(/^There is no events\.db in DATA_DIR/);
    expect(existsSync(missing)).toBe(false);
    await elsewhere.remove();
  });

  it('says which setting is wrong, and ends with 2', async () => {
    const wrong = new Site({ EVENT_STORE: 'paper' });
    const { code, err } = await wrong.run('status');
    expect([code, err]).toEqual([2, expect.stringMatching(/^EVENT_STORE is "paper"; allowed is /)]);
    await wrong.remove();
  });

  it('hands verify, rebuild and vault on as they are, help included', async () => {
    await site.run('verify', '/backup');
    await site.run('rebuild', '--projection', 'transactions', '--check');
    await site.run('vault', '--help');
    expect(site.handedOn).toEqual([
      ['verify', ['/backup']],
      ['rebuild', ['--projection', 'transactions', '--check']],
      ['vault-keys', ['--help']],
    ]);
  });
});
