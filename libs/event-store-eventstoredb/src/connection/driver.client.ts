import { EventStoreDBClient, type EndPoint, type SingleNodeOptions } from '@eventstore/db-client';
import streamService from '@eventstore/db-client/generated/streams_grpc_pb.js';
import { BatchAppends, type BatchCall } from '../append/batch-appends.js';
import { classifyError } from './error.mapping.js';
import { readEach } from '../read/driver.read.js';
import { clientSettings, type ServerSettings } from './server.settings.js';

/** A stream that never exists. Only the leader answers `StreamNotFound`, so this answer proves that the node leads. */
export const PROBE_STREAM = 'tillstream-health';

/**
 * One connection of the driver, without the driver's own reconnection: that repeats no call, waits longer after each
 * attempt, and can reject a promise without a handler. The owner closes a client that failed and makes another one.
 */
export class DriverClient extends EventStoreDBClient {
  /** All appends of this connection. */
  readonly appends: BatchAppends;
  readonly #channels = new Set<{ close(): void }>();
  #closed = false;

  /**
   * @param node undefined: the driver finds one through the address
   * @param mustLead finds the leader, whichever node the address prefers
   */
  constructor(server: ServerSettings, node: EndPoint | undefined, mustLead: boolean) {
    // The constructor accepts each of the three kinds of settings, but its types accept no union of them.
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

  /** Finds a node; the first call connects to it. Rejects if no node is found or the client is closed. */
  async connect(): Promise<void> {
    if (!this.#closed) await this.getChannel();
    if (this.#closed) throw new Error('the connection was closed');
  }

  /** Ends the calls in flight and the connection, which the driver's `dispose` leaves open. */
  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.dispose().catch(() => undefined);
    this.#closeChannels();
  }

  /**
   * Opens the call for appends; the driver ends it with the connection. Probes the node with a read first: to a read, a node
   * that does not lead answers with the leader's address; to an append in this call, with an error like any other.
   */
  async #openAppends(): Promise<BatchCall> {
    const probe = this.readStream(PROBE_STREAM, { maxCount: 1, requiresLeader: true });
    await readEach(probe, { onCancel: undefined }, () => true).catch((error: unknown) => {
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
