import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Express } from 'express';
import { JsonAdapter } from '../http/json.adapter.js';
import { clientAddress, clientNetwork } from './client.network.js';

const servers: Server[] = [];
afterAll(() => servers.forEach((server) => server.close()));

/** Express as the API starts it. Connections come from 127.0.0.1. */
async function startServer(trustedProxies: readonly string[]) {
  const adapter = new JsonAdapter(trustedProxies);
  adapter.getInstance<Express>().get('/', (request, response) => void response.send(clientNetwork(request)));
  adapter.initHttpServer();
  const server = adapter.getHttpServer() as Server;
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return async (forwardedFor?: string): Promise<string> => {
    const headers: Record<string, string> =
      forwardedFor === undefined ? {} : { 'x-forwarded-for': forwardedFor };
    return (await fetch(`http://127.0.0.1:${port}/`, { headers })).text();
  };
}

describe('The address of a client', () => {
  it('is that of its connection while no proxy is trusted, whatever X-Forwarded-For says', async () => {
    const clientOf = await startServer([]);
    expect(await clientOf()).toBe('127.0.0.1');
    expect(await clientOf('192.0.2.1')).toBe('127.0.0.1');
  });

  it('is not believed from a connection that is no trusted proxy', async () => {
    const clientOf = await startServer(['10.0.0.0/8']);
    expect(await clientOf('192.0.2.1')).toBe('127.0.0.1');
  });

  it('is the last address in X-Forwarded-For that is no trusted proxy, so a client can’t choose it', async () => {
    const clientOf = await startServer(['127.0.0.1', '10.0.0.0/8', '2001:db8:ff::/48']);
    expect(await clientOf()).toBe('127.0.0.1');
    expect(await clientOf('192.0.2.1')).toBe('192.0.2.1');
    expect(await clientOf('198.51.100.9, 192.0.2.1')).toBe('192.0.2.1');
    expect(await clientOf('198.51.100.9, 192.0.2.1, 10.1.2.3')).toBe('192.0.2.1');
    expect(await clientOf('198.51.100.9, 192.0.2.1,10.1.2.3, 2001:db8:ff::7')).toBe('192.0.2.1');
    expect(await clientOf('10.9.9.9, 192.0.2.1')).toBe('192.0.2.1');
  });

  it('of IPv6 is its /64 network, of which one customer has every address', async () => {
    const clientOf = await startServer(['127.0.0.1']);
    expect(await clientOf('2001:db8:1:2:3:4:5:6')).toBe('2001:db8:1:2::/64');
    expect(await clientOf('2001:0db8:0001:0002::1')).toBe('2001:db8:1:2::/64');
    expect(await clientOf('2001:db8:1:3::1')).toBe('2001:db8:1:3::/64');
    expect(await clientOf('fe80::1%eth0')).toBe('fe80:0:0:0::/64');
  });

  it('of IPv4 in IPv6 is the IPv4 address: these clients are not one network', () => {
    const socket = { remoteAddress: '::ffff:192.0.2.1' } as never;
    expect(clientNetwork({ ip: undefined, socket })).toBe('192.0.2.1');
  });

  it('is read without the port that some proxies add', async () => {
    const clientOf = await startServer(['127.0.0.1']);
    expect(await clientOf('192.0.2.1:4711')).toBe('192.0.2.1');
    expect(await clientOf('[2001:db8:1:2::9]:4711')).toBe('2001:db8:1:2::/64');
  });

  it('is kept whole for the proof of an authorization', () => {
    const socket = { remoteAddress: '127.0.0.1' } as never;
    expect(clientAddress({ ip: '2001:db8:1:2:3:4:5:6', socket })).toBe('2001:db8:1:2:3:4:5:6');
    expect(clientAddress({ ip: '192.0.2.1:4711', socket })).toBe('192.0.2.1');
    expect(clientAddress({ ip: '::ffff:192.0.2.1', socket })).toBe('192.0.2.1');
    expect(clientAddress({ ip: 'unknown', socket })).toBe('127.0.0.1');
    expect(clientAddress({ ip: undefined, socket: {} as never })).toBeUndefined();
  });

  it('is that of the connection if the proxy named none', async () => {
    const clientOf = await startServer(['127.0.0.1']);
    for (const text of ['unknown', '1', '999.1.1.1', '_hidden', '192.0.2.1:x'])
      expect(await clientOf(text)).toBe('127.0.0.1');
    expect(clientNetwork({ ip: undefined, socket: {} as never })).toBe('unknown');
  });
});
