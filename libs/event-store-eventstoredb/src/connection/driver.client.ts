import { EventStoreDBClient, type EndPoint, type SingleNodeOptions } from '@eventstore/db-client';
import streamService from '@eventstore/db-client/generated/streams_grpc_pb.js';
import { BatchAppends, type BatchCall } from '../append/batch-appends.js';
import { classifyError } from './error.mapping.js';
import { readToEnd } from '../read/driver.read.js';
import { clientSettings, type ServerSettings } from './server.settings.js';

/** Nobody writes to it: only a node that leads answers that it is not there. */
export const PROBE_STREAM = 'tillstream-health';

/**
 * One connection of the driver, with its life in our hands: it never reconnects by itself, since the driver's way
 * repeats nothing, waits longer and longer between tries, and can reject a promise that nobody holds. Whoever sees it
 * fail closes it and makes another.
 */
export class DriverClient extends EventStoreDBClient {
  /** All appends of this connection. */
  readonly appends: BatchAppends;
  readonly #channels = new Set<{ close(): void }>();
  #closed = false;

  /**
   * @param node the node to connect to; left out: one found through the address.
   * @param mustLead whether that should be the leader, whatever the address prefers.
   */
  constructor(server: ServerSettings, node: EndPoint | undefined, mustLead: boolean) {
    // It takes settings of any of the three kinds; its types want to know which.
    super(clientSettings(server, node, mustLead) as SingleNodeOptions, server.security, server.credentials);
    this.appends = new BatchAppends(() => this.#openAppends());
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

  /**
   * The driver ends it with the connection. A node that does not lead is asked first, by a read of nothing: to that it
   * answers where the leader is, to an append on such a call with words that can't be told from any failure.
   */
  async #openAppends(): Promise<BatchCall> {
    const asking = this.readStream(PROBE_STREAM, { maxCount: 1, requiresLeader: true });
    await readToEnd(asking).catch((error: unknown) => {
      if (classifyError(error).kind !== 'NoStream') throw error;
    });
    const open = this.GRPCStreamCreator(streamService.StreamsClient, 'appends', (client) =>
      client.batchAppend(...this.callArguments({ requiresLeader: true }, { deadline: Infinity })),
    );
    return open();
  }

  #closeChannels(): void {
    for (const channel of this.#channels) channel.close();
    this.#channels.clear();
  }
}
