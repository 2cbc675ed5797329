import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Rejects where the port can't be had. `origin` is what to call the server from this machine: `http://localhost:3000`. */
export async function listen(
  server: Server,
  host: string,
  port: number,
): Promise<{ readonly origin: string; readonly port: number }> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
  const taken = (server.address() as AddressInfo).port;
  return { origin: `http://${hostInUrl(host)}:${taken}`, port: taken };
}

/**
 * Takes no new connections; one that was busy is closed as soon as it idles. After `withinMs` whoever still waits is cut
 * off; left out: nobody is.
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
