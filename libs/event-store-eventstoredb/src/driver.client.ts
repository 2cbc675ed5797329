import { EventStoreDBClient, type EndPoint, type SingleNodeOptions } from '@eventstore/db-client';
import { settingsOf, type Server } from './server.settings.js';

/**
 * One connection of the driver, with its life in our hands: it never reconnects by itself, since the driver's way
 * repeats nothing, waits longer and longer between tries, and can reject a promise that nobody holds. Whoever sees it
 * fail closes it and makes another.
 */
export class DriverClient extends EventStoreDBClient {
  readonly #channels = new Set<{ close(): void }>();
  #closed = false;

  /**
   * @param node the node to connect to; left out: one found through the address.
   * @param mustLead whether that should be the leader, whatever the address prefers.
   */
  constructor(server: Server, node: EndPoint | undefined, mustLead: boolean) {
    // It takes settings of any of the three kinds; its types want to know which.
    super(settingsOf(server, node, mustLead) as SingleNodeOptions, server.security, server.credentials);
    // The batch append shares one table of pending appends among all clients of the process, so that an error of one
    // rejects the appends of all; and it has no deadline. Without it every append is a call of its own.
    this.supports = () => Promise.resolve(false);
    this.handleError = () => Promise.resolve();
    const openChannel = this.getChannel;
    this.getChannel = async () => {
      const channel = await openChannel();
      this.#channels.add(channel);
      if (this.#closed) this.#closeChannels();
      return channel;
    };
  }

  /** Finds the node to talk to; the first call makes the connection. Rejects when no node tells, or when closed. */
  async connect(): Promise<void> {
    if (!this.#closed) await this.getChannel();
    if (this.#closed) throw new Error('the connection was closed');
  }

  /** Ends what is still running, and the connection: the driver's `dispose` leaves it open. */
  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.dispose().catch(() => undefined);
    this.#closeChannels();
  }

  #closeChannels(): void {
    for (const channel of this.#channels) channel.close();
    this.#channels.clear();
  }
}
