import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Rejects if the server can't listen on the port. `origin`: its address on this machine, `http://localhost:3000`. */
export async function listen(
  server: Server,
  host: string,
  port: number,
): Promise<{ readonly origin: string; readonly port: number }> {
  server.listen(port, host);
  await once(server, 'listening');
  const { port: actualPort } = server.address() as AddressInfo;
  return { origin: `http://${hostInUrl(host)}:${actualPort}`, port: actualPort };
}

/**
 * Accepts no new connections, and closes each one when it is idle.
 * @param withinMs then closes all connections; left out: waits for all requests
 */
export function closeServer(server: Server, withinMs?: number): Promise<void> {
  const idle = setInterval(() => server.closeIdleConnections(), 50);
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
