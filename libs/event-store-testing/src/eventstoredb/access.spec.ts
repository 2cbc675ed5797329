import { EventStoreDBClient } from '@eventstore/db-client';
import { describe, expect, it } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { aDouble, readAll, closeAfterTest, rejectionOf, numberedJsonEvents } from './double.fixture.js';

const RIGHT = { username: 'admin', password: 'chang:eit' };
const WRONG = { username: 'admin', password: 'guess' };

describe('a server with TLS and users', () => {
  it('serves a client that trusts its certificate and sends name and password', async () => {
    const { client } = await aSecureDouble(RIGHT);
    expect(await client.appendToStream('s', numberedJsonEvents(1))).toMatchObject({ success: true });
    expect(await client.appendToStream('s', numberedJsonEvents(1), { credentials: RIGHT })).toMatchObject({
      success: true,
    });
    expect(await readAll(client.readStream('s'))).toHaveLength(2);
  });

  it('refuses a wrong password with code 16', async () => {
    const { client } = await aSecureDouble(WRONG);
    for (const call of [
      () => client.appendToStream('s', numberedJsonEvents(1)),
      () => client.appendToStream('s', numberedJsonEvents(1), { credentials: WRONG }),
      () => readAll(client.readStream('s')),
    ])
      expect(await rejectionOf(call())).toMatchObject({ type: 'access-denied', code: 16 });
  });

  it('refuses a client without a name with code 7, in a batch without a code', async () => {
    const { client } = await aSecureDouble();
    expect(await rejectionOf(readAll(client.readStream('s')))).toMatchObject({
      type: 'access-denied',
      code: 7,
    });
    const error = await rejectionOf(client.appendToStream('s', numberedJsonEvents(1)));
    expect(error).toMatchObject({ type: 'access-denied', code: undefined });
  });

  it('is unavailable to a client that does not trust its certificate or uses no TLS', async () => {
    const { double } = await aSecureDouble(RIGHT);
    for (const settings of ['tls=true', 'tls=false']) {
      const client = EventStoreDBClient.connectionString(
        `esdb://admin:changeit@localhost:${double.port}?${settings}`,
      );
      closeAfterTest(() => client.dispose());
      expect(await rejectionOf(readAll(client.readStream('s')))).toMatchObject({
        type: 'unavailable',
        code: 14,
      });
    }
  });

  it('is silent when frozen and resets connections, as a server without TLS', async () => {
    const { client, double } = await aSecureDouble(RIGHT);
    await client.appendToStream('s', numberedJsonEvents(1));
    double.freeze();
    const append = client.appendToStream('s', numberedJsonEvents(1), { credentials: RIGHT, deadline: 300 });
    expect(await rejectionOf(append)).toMatchObject({ type: 'deadline-exceeded', code: 4 });
    double.thaw();
    double.inject({ kind: 'LoseAnswer', then: 'drop' });
    expect(await rejectionOf(client.appendToStream('s', numberedJsonEvents(1)))).toMatchObject({ code: 14 });
    expect(await client.appendToStream('s', numberedJsonEvents(1))).toMatchObject({ success: true });
  });
});

async function aSecureDouble(credentials?: typeof RIGHT) {
  const { certificate, key } = newCertificate();
  const { username, password } = RIGHT;
  const double = await aDouble({ tls: { cert: certificate, key }, users: { [username]: password } });
  const client = new EventStoreDBClient(
    { endpoint: { address: 'localhost', port: double.port } },
    { rootCertificate: certificate },
    credentials,
  );
  closeAfterTest(() => client.dispose());
  return { double, client };
}

function newCertificate(): { readonly certificate: Buffer; readonly key: Buffer } {
  const folder = mkdtempSync(join(tmpdir(), 'tillstream-tls-'));
  try {
    const [keyFile, certificateFile] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
    const request =
      'req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=localhost';
    const files = ['-addext', 'subjectAltName=DNS:localhost', '-keyout', keyFile, '-out', certificateFile];
    execFileSync('openssl', [...request.split(' '), ...files], { stdio: 'ignore' });
    return { certificate: readFileSync(certificateFile), key: readFileSync(keyFile) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
