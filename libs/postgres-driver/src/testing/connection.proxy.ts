import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/** What the proxy does with the next message of a client that contains a text. */
export interface ConnectionFault {
  /** Such as `commit`: a text of the client's message. */
  readonly at: string;
  /**
   * `Before`: the connection ends before the server gets the message. `After`: the server gets it, and the connection ends
   * at its answer. `Silence`: the server gets it, and nothing comes back.
   */
  readonly kind: 'Before' | 'After' | 'Silence';
}

/** Stands between clients and a PostgreSQL server without TLS, and loses connections on command. */
export class ConnectionProxy {
  readonly #sockets = new Set<Socket>();
  readonly #sent: Buffer[] = [];
  #fault: ConnectionFault | undefined;

  private constructor(
    private readonly server: Server,
    readonly port: number,
  ) {}

  static async start(serverPort: number): Promise<ConnectionProxy> {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const proxy = new ConnectionProxy(server, (server.address() as AddressInfo).port);
    server.on('connection', (client) => proxy.#accept(client, serverPort));
    return proxy;
  }

  /** Applies once. */
  inject(fault: ConnectionFault): void {
    this.#fault = fault;
  }

  /** All bytes that clients have sent. */
  sent(): Buffer {
    return Buffer.concat(this.#sent);
  }

  /** Ends all connections. */
  loseConnections(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  async stop(): Promise<void> {
    this.loseConnections();
    this.server.close();
    await once(this.server, 'close');
  }

  #accept(client: Socket, serverPort: number): void {
    const server = connect(serverPort, '127.0.0.1');
    let answers: 'Pass' | 'End' | 'Silence' = 'Pass';
    const end = (): void => {
      client.destroy();
      server.destroy();
    };
    for (const socket of [client, server]) {
      this.#sockets.add(socket);
      socket.on('error', end);
      socket.on('close', () => {
        this.#sockets.delete(socket);
        end();
      });
    }
    client.on('data', (bytes) => {
      this.#sent.push(bytes);
      const fault = this.#fault;
      if (fault && bytes.includes(fault.at)) {
        this.#fault = undefined;
        if (fault.kind === 'Before') return end();
        answers = fault.kind === 'After' ? 'End' : 'Silence';
      }
      server.write(bytes);
    });
    server.on('data', (bytes) => {
      if (answers === 'End') end();
      else if (answers === 'Pass') client.write(bytes);
    });
  }
}
