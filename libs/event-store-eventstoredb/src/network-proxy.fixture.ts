import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { Transform } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';

/** A network between a store and its server, on its own port. */
export interface NetworkProxy {
  readonly port: number;
  /** Open connections. */
  readonly connections: number;
  /** The current connections stay open and lose all data; new connections work. */
  cut(): void;
  close(): Promise<void>;
}

/** @param bytesPerMs speed from the server to the store; left out: unlimited */
export async function openNetworkProxy(to: number, bytesPerMs = Infinity): Promise<NetworkProxy> {
  const sockets = new Set<Socket>();
  const keep = (socket: Socket): Socket => {
    socket.on('error', () => undefined);
    socket.once('close', () => sockets.delete(socket));
    sockets.add(socket);
    return socket;
  };
  const cuts = new Set<() => void>();
  const server = createServer((accepted) => {
    const near = keep(accepted);
    const far = keep(connect(to, '127.0.0.1'));
    near.pipe(far);
    (bytesPerMs === Infinity ? far : far.pipe(slowdown(bytesPerMs))).pipe(near);
    near.once('close', () => far.destroy());
    far.once('close', () => near.destroy());
    cuts.add(() => {
      near.unpipe().resume();
      far.unpipe().resume();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    get connections() {
      return sockets.size / 2;
    },
    cut: () => {
      for (const cut of cuts) cut();
      cuts.clear();
    },
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Passes small pieces at a constant speed. */
function slowdown(bytesPerMs: number): Transform {
  const piece = bytesPerMs * 10;
  const pass = async (line: Transform, chunk: Buffer): Promise<void> => {
    for (let from = 0; from < chunk.length; from += piece) {
      await pause(10);
      line.push(chunk.subarray(from, from + piece));
    }
  };
  return new Transform({
    highWaterMark: 1,
    transform(chunk: Buffer, _, next) {
      void pass(this, chunk).then(() => next());
    },
  });
}
