import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import type { ApiRequest, ApiResponse } from '../http/api.request.js';
import { MerchantTurns, TURN_LIMITS } from './merchant.turns.js';
import { TurnGuard } from './turn.guard.js';

const turns = new MerchantTurns({ ...TURN_LIMITS, inFlightMax: 3 });
const metrics = { turnsRefused: { labels: () => ({ inc: () => undefined }) } };
const guard = new TurnGuard(turns, { observability: { metrics } } as never);

/** A request whose client has closed the connection. */
async function requestOfGoneClient(): Promise<[IncomingMessage, ServerResponse]> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
  client.write('POST / HTTP/1.1\r\nhost: localhost\r\ncontent-length: 100\r\n\r\n{');
  const [request, response] = (await once(server, 'request')) as [IncomingMessage, ServerResponse];
  request.on('error', () => undefined);
  const closed = once(response, 'close');
  client.destroy();
  await closed;
  server.close();
  return [request, response];
}

it('The request of a client that went while it was authenticated keeps no place', async () => {
  const [request, response] = await requestOfGoneClient();
  const caller = { actor: {}, merchant: { id: 'mer_A' } };
  await guard.enter(
    Object.assign(request, { caller }) as unknown as ApiRequest,
    response as unknown as ApiResponse,
  );
  expect(turns.summary().mostInFlight).toBe(0);
});
