import { EventStoreDBClient } from '@eventstore/db-client';
import { addressOf, fileOf, hostsOf, type Address } from './connection.address.js';

type EndPoint = Address['hosts'][number];
type Credentials = NonNullable<Address['defaultCredentials']>;
type SecurityOptions = NonNullable<ConstructorParameters<typeof EventStoreDBClient>[1]>;

/** How to connect: the address of the configuration, read once. */
export interface Server {
  readonly address: Address;
  readonly security: SecurityOptions;
  readonly credentials: Credentials | undefined;
  /** For messages: hosts and ports only. */
  readonly name: string;
  /** More than one node may answer, so that trying again soon may find another one. */
  readonly clustered: boolean;
}

/** The driver warns about less than 10 s between pings; a silent connection is left after 15 s. */
const KEEP_ALIVE_MS = 10_000;
const KEEP_ALIVE_TIMEOUT_MS = 5_000;
/** One round of asking the nodes who leads: what calls has its own deadline, and asks again until then. */
const DISCOVERY_ROUNDS = 1;
const DISCOVERY_PAUSE_MS = 20;
const GOSSIP_TIMEOUT_S = 2;

let clients = 0;

/** Throws `Invalid` for an address that can't be used. */
export function serverOf(url: string): Server {
  const address = addressOf(url);
  const { tls, tlsCAFile, userCertFile, userKeyFile } = address;
  return {
    address,
    security: {
      insecure: tls === false,
      ...(tls !== false && tlsCAFile !== undefined && { rootCertificate: fileOf('tlsCAFile', tlsCAFile) }),
      ...(tls !== false && userCertFile !== undefined && { userCertFile: fileOf('userCertFile', userCertFile) }),
      ...(tls !== false && userKeyFile !== undefined && { userKeyFile: fileOf('userKeyFile', userKeyFile) }),
    },
    credentials: address.defaultCredentials,
    name: hostsOf(address),
    clustered: address.dnsDiscover || address.hosts.length > 1,
  };
}

/**
 * One connection of the driver, with its life in our hands: it never reconnects by itself, since the driver's way
 * repeats nothing, keeps growing pauses between tries, and can reject a promise that nobody holds. Whoever sees it fail
 * closes it and makes another.
 */
export class DriverClient extends EventStoreDBClient {
  readonly #channels = new Set<{ close(): void }>();
  #closed = false;

  /** @param node the node to connect to; left out: one found through the address, the leader if there is one. */
  constructor(server: Server, node?: EndPoint, mustLead = true) {
    super(settingsOf(server.address, node, mustLead) as never, server.security, server.credentials);
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
    if (this.#closed) throw new Error('the connection was closed');
    await this.getChannel();
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

function settingsOf(address: Address, node: EndPoint | undefined, mustLead: boolean) {
  const { connectionName = 'tillstream', keepAliveInterval, keepAliveTimeout = KEEP_ALIVE_TIMEOUT_MS } = address;
  clients += 1;
  const settings = {
    connectionName,
    throwOnAppendFailure: true,
    keepAliveInterval: keepAliveInterval ?? KEEP_ALIVE_MS,
    // Channels of equal settings share one connection in the process. A new client must not get the one that the
    // last was closed for.
    keepAliveTimeout: keepAliveTimeout < 0 ? keepAliveTimeout : keepAliveTimeout + (clients % 1000),
  };
  const [first] = address.hosts;
  if (node !== undefined) return { ...settings, endpoint: node };
  const discovery = {
    nodePreference: mustLead ? 'leader' : (address.nodePreference ?? 'leader'),
    maxDiscoverAttempts: address.maxDiscoverAttempts ?? DISCOVERY_ROUNDS,
    discoveryInterval: address.discoveryInterval ?? DISCOVERY_PAUSE_MS,
    gossipTimeout: address.gossipTimeout ?? GOSSIP_TIMEOUT_S,
  };
  if (address.dnsDiscover) return { ...settings, ...discovery, discover: first };
  if (address.hosts.length > 1) return { ...settings, ...discovery, endpoints: address.hosts };
  return { ...settings, endpoint: first };
}
