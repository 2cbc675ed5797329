import { once } from 'node:events';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { CERTIFICATE, PRIVATE_KEY } from './certificate.fixture.js';
import { DeliveryClient } from './delivery.client.js';
import type { DeliveryAnswer } from './posted.delivery.js';
import { AllowedAddresses } from './special.address.js';

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

function client(ca?: readonly string[]): DeliveryClient {
  const made = new DeliveryClient({
    allowed: new AllowedAddresses(['127.0.0.0/8']),
    timeLimitMs: 5_000,
    resolve: async () => ['127.0.0.1'],
    ...(ca && { ca }),
  });
  closing.push(() => made.close());
  return made;
}

async function listening(server: Server): Promise<number> {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  closing.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

describe('TLS', () => {
  const names: (string | false | undefined | null)[] = [];
  const tls = async (): Promise<number> => {
    names.length = 0;
    const server = createServer({ key: PRIVATE_KEY, cert: CERTIFICATE }, (_request, response) =>
      response.end(),
    );
    server.on('secureConnection', (socket) => names.push(socket.servername));
    return listening(server);
  };
  const postTo = (sender: DeliveryClient, host: string, port: number): Promise<DeliveryAnswer> =>
    sender.post({ url: new URL(`https://${host}:${port}/`), headers: {}, body: Buffer.from('{}') });

  it('asks for and checks the name of the URL, though the connection goes to the checked address', async () => {
    const port = await tls();
    const sender = client([CERTIFICATE]);
    expect(await postTo(sender, 'hooks.example', port)).toMatchObject({ status: 200 });
    expect(names).toEqual(['hooks.example']);
    expect((await postTo(sender, 'other.example', port)).error).toMatch(/^the certificate or TLS failed/);
    expect((await postTo(sender, '127.0.0.1', port)).error).toMatch(/^the certificate or TLS failed/);
  });

  it('refuses a certificate that no trusted authority signed', async () => {
    const port = await tls();
    const { status, error } = await postTo(client(), 'hooks.example', port);
    expect(status).toBeUndefined();
    expect(error).toBe('the certificate or TLS failed (DEPTH_ZERO_SELF_SIGNED_CERT)');
  });
});
