import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

export interface ListeningServer {
  /** The address on this machine, `http://localhost:3000`. */
  readonly origin: string;
  readonly port: number;
  /**
   * Accepts no new connections, and closes each one that has no request.
   * @param withinMs then closes all connections; left out: waits for all requests
   */
  close(withinMs?: number): Promise<void>;
}

const CLOSE_IDLE_EVERY_MS = 50;
/** The first request of a connection follows within this time, or is refused when the server closes. */
const SILENT_MS = 1_000;

/** Rejects if the server can't listen on the port. */
export async function listen(server: Server, host: string, port: number): Promise<ListeningServer> {
  const openedAt = new Map<Socket, number>();
  server.on('connection', (connection: Socket) => {
    openedAt.set(connection, performance.now());
    connection.once('close', () => openedAt.delete(connection));
  });
  server.listen(port, host);
  await once(server, 'listening');
  const { port: actualPort } = server.address() as AddressInfo;
  const closeIdle = (): void => {
    server.closeIdleConnections();
    // Node does not count these as idle: browsers and load balancers open connections before they have a request.
    const silentSince = performance.now() - SILENT_MS;
    for (const [connection, at] of openedAt)
      if (connection.bytesRead === 0 && at < silentSince) connection.destroy();
  };
  return {
    origin: `http://${hostInUrl(host)}:${actualPort}`,
    port: actualPort,
    close: (withinMs) => closeServer(server, closeIdle, withinMs),
  };
}

function closeServer(server: Server, closeIdle: () => void, withinMs?: number): Promise<void> {
  const idle = setInterval(closeIdle, CLOSE_IDLE_EVERY_MS);
  const late = withinMs === undefined ? undefined : setTimeout(() => server.closeAllConnections(), withinMs);
  return new Promise((resolve) =>
    server.close(() => {
      clearInterval(idle);
      clearTimeout(late);
      resolve();
    }),
  );
}

function hostInUrl(host: string): string {
  if (['127.0.0.1', '0.0.0.0', '::1', '::'].includes(host)) return 'localhost';
  return host.includes(':') ? `[${host}]` : host;
}
