import { once } from 'node:events';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/** The part of libuv's handle that stops reading below HTTP/2, which otherwise answers pings itself. */
interface ReadableHandle {
  readStop(): void;
  readStart(): void;
}

/** The double's port and sockets, and the faults of connections. */
export class ConnectionGate {
  readonly #sockets = new Map<string, { readonly socket: Socket; readonly handle: ReadableHandle }>();
  readonly #notLetIn: Socket[] = [];
  #server: Server | undefined;
  #thawed: Promise<void> | undefined;
  #thaw: (() => void) | undefined;

  constructor(private readonly letIn: (socket: Socket) => void) {}

  /** Returns the port. */
  async listen(port: number): Promise<number> {
    const server = createServer({ noDelay: true }, (socket) => this.#accept(socket));
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    this.#server = server;
    return (server.address() as AddressInfo).port;
  }

  /** Closes the port and resets every connection. */
  async shut(): Promise<void> {
    this.dropAll();
    const server = this.#server;
    this.#server = undefined;
    if (server === undefined) return;
    const closed = once(server, 'close');
    server.close();
    await closed;
  }

  dropAll(): void {
    for (const { socket } of [...this.#sockets.values()]) socket.resetAndDestroy();
    for (const socket of this.#notLetIn.splice(0)) socket.resetAndDestroy();
  }

  /** Resets the connection of a call. `peer` is "address:port". */
  drop(peer: string): void {
    this.#sockets.get(peer)?.socket.resetAndDestroy();
  }

  get frozen(): boolean {
    return this.#thawed !== undefined;
  }

  freeze(): void {
    if (this.frozen) return;
    this.#thawed = new Promise((resolve) => (this.#thaw = resolve));
    for (const { handle } of this.#sockets.values()) handle.readStop();
  }

  thaw(): void {
    if (!this.frozen) return;
    this.#thawed = undefined;
    for (const { handle } of this.#sockets.values()) handle.readStart();
    for (const socket of this.#notLetIn.splice(0)) this.#add(socket);
    this.#thaw?.();
  }

  /** Resolves when the server is not frozen. */
  async waitUntilThawed(): Promise<void> {
    while (this.#thawed !== undefined) await this.#thawed;
  }

  #accept(socket: Socket): void {
    socket.on('error', () => undefined);
    if (this.frozen) this.#notLetIn.push(socket);
    else this.#add(socket);
  }

  #add(socket: Socket): void {
    const peer = `${socket.remoteAddress}:${socket.remotePort}`;
    const { _handle: handle } = socket as unknown as { _handle: ReadableHandle | null };
    if (handle === null) return;
    this.#sockets.set(peer, { socket, handle });
    socket.once('close', () => this.#sockets.delete(peer));
    this.letIn(socket);
  }
}
