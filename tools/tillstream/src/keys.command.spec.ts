import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DataDirectoryFixture } from './data-directory.fixture.js';

const ADMIN_KEY = /^ak_[A-Za-z0-9]{32}$/;

describe('keys', () => {
  let fixture: DataDirectoryFixture;

  beforeEach(async () => {
    fixture = new DataDirectoryFixture();
    await fixture.createMerchant();
  });
  afterEach(() => fixture.remove());

  const json = async (...args: string[]) => JSON.parse((await fixture.run('keys', ...args, '--json')).out);
  const opens = async (key: string): Promise<boolean> =>
    fixture.service(async ({ authentication }) => (await authentication.authenticate(key)) !== undefined);
  const file = () => join(fixture.directory, 'sandbox.json');
  const facts = () => JSON.parse(readFileSync(file(), 'utf8'));

  it('issues an operator key that works, prints it once and alone on stdout, and lists who made it', async () => {
    const { code, out, err } = await fixture.run('keys', 'issue', '--name', 'Ada');
    expect([code, out]).toEqual([0, expect.stringMatching(ADMIN_KEY)]);
    expect(err).toMatch(/^key_\w{26} "Ada" works from now on\. Keep it: it is shown only here\.$/);
    expect(await opens(out)).toBe(true);
    const listed = await fixture.run('keys', 'list');
    expect(listed.out).toMatch(new RegExp(`^key_\\w{26}  Ada  …${out.slice(-4)}, made \\S+Z by ada$`));
    expect(JSON.stringify(await json('list'))).not.toContain(out);
  });

  it('begins no new store where the old one is lost', async () => {
    const lost = join(fixture.directory, 'events.db');
    for (const name of [lost, `${lost}-wal`, `${lost}-shm`]) rmSync(name, { force: true });
    writeFileSync(lost, '');
    const { code, err } = await fixture.run('keys', 'issue', '--name', 'Ada');
    expect([code, err]).toEqual([2, expect.stringContaining(`${lost} is missing or empty, and `)]);
    expect(statSync(lost).size).toBe(0);
  });

  it('records the change for --actor', async () => {
    await fixture.run('keys', 'issue', '--name', 'night', '--actor', 'Grace');
    expect(await json('list')).toMatchObject({ data: [{ name: 'night', createdBy: 'Grace' }] });
  });

  it('rotates: the new key of the same name works, the old one does not, and --all shows both', async () => {
    const old = await json('issue', '--name', 'Ada');
    const made = await json('rotate', 'Ada');
    expect(made).toMatchObject({ name: 'Ada', key: expect.stringMatching(ADMIN_KEY) });
    expect([await opens(old.key), await opens(made.key)]).toEqual([false, true]);
    expect((await json('list')).data.map(({ id }: { id: string }) => id)).toEqual([made.id]);
    expect((await json('list', '--all')).data.map(({ id }: { id: string }) => id)).toEqual([old.id, made.id]);
  });

  it('revokes by name or id; refuses an unknown or ambiguous name with exit code 1', async () => {
    const first = await json('issue', '--name', 'Ada');
    await json('issue', '--name', 'Ada');
    const ambiguous = await fixture.run('keys', 'revoke', 'Ada');
    expect([ambiguous.code, ambiguous.err]).toEqual([1, expect.stringContaining('use an id: key_')]);
    const done = await fixture.run('keys', 'revoke', first.id, '--reason', 'left us');
    expect([done.code, done.out]).toEqual([
      0,
      `${first.id} "Ada" is revoked; it stops within 2 s on every instance.`,
    ]);
    expect(await opens(first.key)).toBe(false);
    const again = await fixture.run('keys', 'revoke', first.id);
    expect([again.code, again.err]).toEqual([1, 'There is no admin key of this id or name that works.']);
  });

  it('a rotated demo key is put into sandbox.json, for its owner only; for a revoked one it prints a note', async () => {
    const demo = await json('issue', '--name', 'Demo operator');
    writeFileSync(file(), JSON.stringify({ baseUrl: 'http://localhost:1/v1', adminKey: demo.key }));
    const { out, err } = await fixture.run('keys', 'rotate', 'Demo operator');
    expect(err).toContain("It was the key of the sandbox's demo");
    expect(facts()).toEqual({ baseUrl: 'http://localhost:1/v1', adminKey: out });
    expect(statSync(file()).mode & 0o777).toBe(0o600);
    const revoked = await fixture.run('keys', 'revoke', 'Demo operator');
    expect(revoked.err).toMatch(
      /^It was a key of the sandbox's demo: adminKey in .* opens nothing until the next start/,
    );
    expect(facts().adminKey).toBe(out);
  });

  it('leaves sandbox.json alone where another key was rotated', async () => {
    await fixture.run('keys', 'issue', '--name', 'Ada');
    writeFileSync(file(), '{"adminKey":"ak_other"}');
    await fixture.run('keys', 'rotate', 'Ada');
    expect(readFileSync(file(), 'utf8')).toBe('{"adminKey":"ak_other"}');
  });

  it('issues, lists and revokes keys of a merchant', async () => {
    const { id } = fixture.merchant;
    const made = await json('issue', '--merchant', id, '--name', 'Till', '--read-only');
    expect(made).toMatchObject({
      name: 'Till',
      readOnly: true,
      key: expect.stringMatching(/^sk_test_\w{32}$/),
    });
    expect(await opens(made.key)).toBe(true);
    const { out } = await fixture.run('keys', 'list', '--merchant', id);
    expect(out).toMatch(new RegExp(`^${made.id}  Till  …${made.key.slice(-4)}, read-only, made \\S+Z$`));
    expect((await fixture.run('keys', 'revoke', '--merchant', id, made.id)).code).toBe(0);
    expect(await opens(made.key)).toBe(false);
    expect((await fixture.run('keys', 'list', '--merchant', id)).out).toBe('There is none.');
    expect((await json('list', '--merchant', id, '--all')).data).toHaveLength(1);
  });

  it('refuses a merchant, and a key of a merchant, that are not there', async () => {
    const unknown = `mer_${'0'.repeat(26)}`;
    for (const args of [['list'], ['issue', '--name', 'x']]) {
      const { code, err } = await fixture.run('keys', ...args, '--merchant', unknown);
      expect([code, err]).toEqual([1, `There is no merchant ${unknown}.`]);
    }
    const { code, err } = await fixture.run('keys', 'revoke', '--merchant', fixture.merchant.id, 'key_1');
    expect([code, err]).toEqual([
      1,
      expect.stringMatching(/^The merchant has no such key; .* by its id, which keys list --merchant mer_/),
    ]);
  });
});
