import { once } from 'node:events';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
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

interface Connection {
  readonly openedAt: number;
  /** The last one. */
  exchange?: { readonly request: IncomingMessage; readonly response: ServerResponse };
}

const CLOSE_IDLE_EVERY_MS = 50;
/** The first request of a connection follows within this time, or is refused when the server closes. */
const SILENT_MS = 1_000;

/** Rejects if the server can't listen on the port. */
export async function listen(server: Server, host: string, port: number): Promise<ListeningServer> {
  const connections = new Map<Socket, Connection>();
  server.on('connection', (socket: Socket) => {
    connections.set(socket, { openedAt: performance.now() });
    socket.once('close', () => connections.delete(socket));
  });
  server.on('request', (request, response) => {
    const connection = connections.get(request.socket);
    if (connection) connection.exchange = { request, response };
  });
  server.listen(port, host);
  await once(server, 'listening');
  const { port: actualPort } = server.address() as AddressInfo;
  return {
    origin: `http://${hostInUrl(host)}:${actualPort}`,
    port: actualPort,
    close: (withinMs) => closeServer(server, connections, withinMs),
  };
}

function closeServer(
  server: Server,
  connections: ReadonlyMap<Socket, Connection>,
  withinMs?: number,
): Promise<void> {
  const receiveUntil = performance.now() + server.requestTimeout;
  const closeUnused = setInterval(() => {
    server.closeIdleConnections();
    const now = performance.now();
    for (const [socket, connection] of connections)
      if (isSilent(socket, connection, now) || (now > receiveUntil && !isAwaitingResponse(connection)))
        socket.destroy();
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
function isSilent({ bytesRead }: Socket, { openedAt }: Connection, now: number): boolean {
  return bytesRead === 0 && now - openedAt > SILENT_MS;
}

/** Node ends requests that arrive too slowly, but no more once the server closes. */
function isAwaitingResponse({ exchange }: Connection): boolean {
  return exchange !== undefined && exchange.request.complete && !exchange.response.writableFinished;
}

function hostInUrl(host: string): string {
  if (['127.0.0.1', '0.0.0.0', '::1', '::'].includes(host)) return 'localhost';
  return host.includes(':') ? `[${host}]` : host;
}
