import { once } from 'node:events';
import type { Server, ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

export interface ListeningServer {
  /** The address on this machine, `http://localhost:3000`. */
  readonly origin: string;
  readonly port: number;
  /**
   * Accepts no new connections, and closes each one that has no request. A request that is not received within the
   * server's `requestTimeout` is aborted.
   * @param withinMs then closes all connections; left out: waits for the responses to all received requests
   */
  close(withinMs?: number): Promise<void>;
}

interface Open {
  /** Each connection, and when it was opened. */
  readonly connections: Map<Socket, number>;
  /** Of requests whose head has arrived, until they are sent. */
  readonly responses: Set<ServerResponse>;
}

const CLOSE_IDLE_EVERY_MS = 50;
/** The first request of a connection follows within this time, or is refused when the server closes. */
const SILENT_MS = 1_000;

/** Rejects if the server can't listen on the port. */
export async function listen(server: Server, host: string, port: number): Promise<ListeningServer> {
  const open: Open = { connections: new Map(), responses: new Set() };
  server.on('connection', (socket: Socket) => {
    open.connections.set(socket, performance.now());
    socket.once('close', () => open.connections.delete(socket));
  });
  server.on('request', (_, response) => {
    open.responses.add(response);
    response.once('close', () => open.responses.delete(response));
  });
  server.listen(port, host);
  await once(server, 'listening');
  const { port: actualPort } = server.address() as AddressInfo;
  return {
    origin: `http://${hostInUrl(host)}:${actualPort}`,
    port: actualPort,
    close: (withinMs) => closeServer(server, open, withinMs),
  };
}

function closeServer(server: Server, open: Open, withinMs?: number): Promise<void> {
  const receiveUntil = performance.now() + server.requestTimeout;
  const closeUnused = setInterval(() => {
    server.closeIdleConnections();
    destroySilent(open);
    if (performance.now() > receiveUntil) destroyReceiving(open);
  }, CLOSE_IDLE_EVERY_MS);
  const late = withinMs === undefined ? undefined : setTimeout(() => server.closeAllConnections(), withinMs);
  return new Promise((resolve) =>
    server.close(() => {
      clearInterval(closeUnused);
      clearTimeout(late);
      resolve();
    }),
  );
}

/** Node does not count these as idle: browsers and load balancers open connections before they have a request. */
function destroySilent({ connections }: Open): void {
  const silentSince = performance.now() - SILENT_MS;
  for (const [socket, openedAt] of connections)
    if (socket.bytesRead === 0 && openedAt < silentSince) socket.destroy();
}

/** Node ends requests that arrive too slowly, but no more once the server closes. */
function destroyReceiving({ connections, responses }: Open): void {
  const received = [...responses].filter(({ req }) => req.complete);
  const awaiting = new Set(received.map(({ req }) => req.socket));
  for (const socket of connections.keys()) if (!awaiting.has(socket)) socket.destroy();
}

function hostInUrl(host: string): string {
  if (['127.0.0.1', '0.0.0.0', '::1', '::'].includes(host)) return 'localhost';
  return host.includes(':') ? `[${host}]` : host;
}
