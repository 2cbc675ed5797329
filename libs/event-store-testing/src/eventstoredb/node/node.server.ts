import { Server, ServerCredentials, type ConnectionInjector } from '@grpc/grpc-js';
import { setTimeout as sleep } from 'node:timers/promises';
import { pipelineResponses } from './response.pipeline.js';
import { batchAppend } from '../handlers/batch-append.handler.js';
import { ConnectionGate } from './connection.gate.js';
import type { DoubleOptions, EventStoreDbDouble, StartOptions } from '../double.options.js';
import { FeaturesDefinition, GossipDefinition, StreamsDefinition } from '../grpc.definitions.js';
import type { LogView } from '../log/log.view.js';
import type { LogWriter } from '../log/log.writer.js';
import {
  deleteStream,
  readGossip,
  supportedMethods,
  tombstoneStream,
  type ClusterMember,
} from '../handlers/delete-and-discovery.handlers.js';
import { read } from '../handlers/read.handler.js';
import type { FaultTarget, ServerFault } from './server.faults.js';
import { NodeContext, type NodeRole } from './node.context.js';
import { unaryAppend } from '../handlers/unary-append.handler.js';

const CALLS_KEPT = 10_000;
const RESET_NOTICED_MS = 5;

export interface NodeParts {
  readonly view: LogView;
  readonly writer: LogWriter;
  readonly role: NodeRole;
  readonly members: () => readonly ClusterMember[];
  readonly options: DoubleOptions;
}

/** A node with its port. */
export class NodeServer implements EventStoreDbDouble {
  readonly #node: NodeContext;
  readonly #gate: ConnectionGate;
  readonly #server: Server;
  #port = 0;
  #up = false;

  constructor(private readonly parts: NodeParts) {
    this.#server = new Server({ interceptors: [pipelineResponses], 'grpc.max_receive_message_length': -1 });
    const injector = this.#server.createConnectionInjector(
      credentialsOf(parts.options),
    ) as ConnectionInjector;
    this.#gate = new ConnectionGate((socket) => injector.injectConnection(socket));
    this.#node = new NodeContext(parts, this.#gate);
    this.#server.addService(StreamsDefinition, {
      read: read(this.#node),
      append: unaryAppend(this.#node),
      batchAppend: batchAppend(this.#node),
      delete: deleteStream(this.#node),
      tombstone: tombstoneStream(this.#node),
    });
    this.#server.addService(FeaturesDefinition, { getSupportedMethods: supportedMethods(this.#node) });
    this.#server.addService(GossipDefinition, { read: readGossip(this.#node, parts.members) });
  }

  get url(): string {
    return `esdb://127.0.0.1:${this.#port}?tls=${this.parts.options.tls !== undefined}`;
  }

  get port(): number {
    return this.#port;
  }

  /** Whether the node answers. */
  get alive(): boolean {
    return this.#up && !this.#gate.frozen;
  }

  get calls() {
    return this.#node.calls.slice(-CALLS_KEPT);
  }

  get eventCount(): number {
    return this.parts.view.log.count;
  }

  inject(fault: ServerFault, where?: FaultTarget): void {
    this.#node.faults.inject(fault, where);
  }

  clearFaults(): void {
    this.#node.faults.clear();
  }

  dropConnections(): void {
    this.#gate.dropAll();
  }

  async start({ notReadyMs = 0 }: StartOptions = {}): Promise<void> {
    if (this.#up) return;
    this.#node.onStart(notReadyMs);
    this.#port = await this.#gate.listen(this.#port === 0 ? (this.parts.options.port ?? 0) : this.#port);
    this.#up = true;
  }

  async stop(): Promise<void> {
    this.#up = false;
    this.#node.onStop();
    if (this.parts.role.isLeader()) this.parts.writer.forget();
    await this.#gate.shut();
    this.#gate.thaw();
    // Clients in this process notice the reset before their next call, as with a remote server that takes time to start.
    await sleep(RESET_NOTICED_MS);
  }

  freeze(): void {
    this.#gate.freeze();
  }

  thaw(): void {
    this.#gate.thaw();
  }

  async close(): Promise<void> {
    await this.stop();
    this.#server.forceShutdown();
  }
}

function credentialsOf({ tls }: DoubleOptions): ServerCredentials {
  if (tls === undefined) return ServerCredentials.createInsecure();
  return ServerCredentials.createSsl(null, [
    { cert_chain: Buffer.from(tls.cert), private_key: Buffer.from(tls.key) },
  ]);
}
