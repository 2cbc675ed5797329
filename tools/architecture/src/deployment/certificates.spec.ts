import { execFileSync, spawnSync } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathOf } from './compose.file.testing.js';

const SCRIPT = pathOf('docs/deploy/certificates.sh');
const PASSWORDS = { EVENTSTORE_PASSWORD: 'one', POSTGRES_PASSWORD: 'two' };

describe('The certificates of the large profile', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tillstream-certificates-'));
  const own = join(folder, 'certificates');
  const authorities = join(folder, 'authorities');
  const make = (): void =>
    void execFileSync('sh', [SCRIPT, own, authorities, 'pay.example.com'], {
      env: { PATH: process.env['PATH'], ...PASSWORDS },
    });
  const certificate = (name: string): X509Certificate =>
    new X509Certificate(readFileSync(join(own, `${name}.crt`)));

  beforeAll(make, 60_000);
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('are of one authority, whose certificate alone is given to those who check them', () => {
    expect(readdirSync(authorities)).toEqual(['ca.crt']);
    const authority = new X509Certificate(readFileSync(join(authorities, 'ca.crt')));
    expect(authority.ca).toBe(true);
    for (const name of ['eventstoredb-1', 'eventstoredb-2', 'eventstoredb-3', 'postgres', 'proxy']) {
      const one = certificate(name);
      expect([name, one.ca, one.checkIssued(authority), one.verify(authority.publicKey)]).toEqual([
        name,
        false,
        true,
        true,
      ]);
    }
  });

  it('are valid for the names under which the services are reached', () => {
    const names = { 'eventstoredb-2': 'eventstoredb-2', postgres: 'postgres', proxy: 'pay.example.com' };
    for (const [name, host] of Object.entries(names)) expect(certificate(name).checkHost(host)).toBe(host);
    expect(certificate('eventstoredb-1').checkHost('eventstoredb-2')).toBeUndefined();
  });

  it('have one common name at all nodes, which are clients of one another, as EventStoreDB demands', () => {
    for (const node of [1, 2, 3]) {
      const { subject, keyUsage } = certificate(`eventstoredb-${node}`);
      expect(subject).toBe('CN=eventstoredb-node');
      expect(keyUsage).toEqual(expect.arrayContaining(['1.3.6.1.5.5.7.3.1', '1.3.6.1.5.5.7.3.2']));
    }
  });

  it('have keys that their owners alone can read', () => {
    const keys = readdirSync(own).filter((name) => /\.(?:key|pem)$/.test(name));
    expect(keys).toHaveLength(7);
    for (const key of keys) expect([key, statSync(join(own, key)).mode & 0o077]).toEqual([key, 0]);
  });

  it('are kept by the next start', () => {
    const before = readFileSync(join(own, 'postgres.crt'), 'utf8');
    make();
    expect(readFileSync(join(own, 'postgres.crt'), 'utf8')).toBe(before);
  });

  it.each(Object.keys(PASSWORDS))('are not made if %s is missing, so that nothing starts', (missing) => {
    const { status, stderr } = spawnSync('sh', [SCRIPT, join(folder, 'none'), join(folder, 'none-either')], {
      env: { PATH: process.env['PATH'], ...PASSWORDS, [missing]: '' },
      encoding: 'utf8',
    });
    expect(status).not.toBe(0);
    expect(stderr).toContain(`${missing}: is missing`);
    expect(readdirSync(folder)).not.toContain('none');
  });
});
