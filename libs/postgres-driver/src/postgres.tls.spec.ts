import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openPostgres } from './postgres.js';
import type { PostgresSettings } from './postgres.settings.js';
import { PostgresServer } from './testing/index.js';

describe('A PostgreSQL server with TLS', () => {
  let folder = '';
  let server: PostgresServer;
  let settings: PostgresSettings;
  const path = (name: string): string => join(folder, name);
  const health = async (changes: Partial<PostgresSettings>) => {
    const database = openPostgres({ ...settings, ...changes });
    try {
      return await database.health();
    } finally {
      await database.close();
    }
  };

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'tillstream-tls-'));
    for (const [name, host] of [
      ['server', '127.0.0.1'],
      ['other', '127.0.0.2'],
    ]) {
      const subject = ['-subj', `/CN=${host}`, '-addext', `subjectAltName=IP:${host}`];
      const output = ['-keyout', path(`${name}.key`), '-out', path(`${name}.crt`)];
      execFileSync(
        'openssl',
        ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '1', ...subject, ...output],
        {
          stdio: 'pipe',
        },
      );
    }
    const read = (name: string): string => readFileSync(path(name), 'utf8');
    server = await PostgresServer.start({
      tls: { certificate: read('server.crt'), key: read('server.key') },
    });
    settings = await server.newDatabase();
  });
  afterAll(async () => {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  it('is used if a trusted certificate is valid for its host', async () => {
    expect(await health({ tls: 'Verify', caFile: path('server.crt') })).toEqual({
      writable: true,
      reason: undefined,
    });
  });

  it('is refused with a certificate that is not trusted', async () => {
    expect(await health({ tls: 'Verify' })).toMatchObject({ writable: false });
    expect(await health({ tls: 'Verify', caFile: path('other.crt') })).toMatchObject({ writable: false });
  });

  it('is refused under a name that its certificate does not have', async () => {
    const url = settings.url.replace('127.0.0.1', 'localhost');
    expect(await health({ url, tls: 'Verify', caFile: path('server.crt') })).toMatchObject({
      writable: false,
    });
  });
});
