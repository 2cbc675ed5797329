import type {
  ChannelCredentialOptions,
  DNSClusterOptions,
  EndPoint,
  GossipClusterOptions,
  SingleNodeOptions,
} from '@eventstore/db-client';
import { EventStoreError } from '@tillstream/event-store';
import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { createSecureContext } from 'node:tls';
import { parseAddress, unusableAddress, type Address } from './connection.address.js';

/** Reports to an operator, in one line without credentials. */
export type OperatorReport = (message: string) => void;

/** How to connect: the address of the configuration and the files that it names. */
export type ServerSettings = ReturnType<typeof readServerSettings>;

export interface StoreSettings extends ServerSettings {
  /** Longest time of one call. */
  readonly deadlineMs: number;
  readonly report: OperatorReport;
}

/** The driver warns about less than 10 s between pings. A silent connection is abandoned after 15 s. */
const KEEP_ALIVE_MS = 10_000;
const KEEP_ALIVE_TIMEOUT_MS = 5_000;
/** The driver searches for the leader once. The caller repeats the search until its deadline. */
const DISCOVERY_ROUNDS = 1;
const DISCOVERY_PAUSE_MS = 20;
const GOSSIP_TIMEOUT_S = 2;

let clients = 0;

/** Throws `Invalid` with one sentence, which holds no secret, for an unusable address. */
export function readServerSettings(url: string) {
  const address = parseAddress(url);
  return {
    address,
    security: channelSecurity(address),
    credentials: address.defaultCredentials,
    /** For messages: hosts and ports only. */
    name: address.hosts.map(({ address: host, port }) => `${host}:${port}`).join(', '),
    /** More than one node may answer, so a repeat may reach another one. */
    clustered: address.dnsDiscover || address.hosts.length > 1,
  };
}

/** The problem of an address, in one sentence without secrets; undefined if there is none. Does not call the server. */
export function checkEventStoreDbUrl(url: string): string | undefined {
  try {
    readServerSettings(url);
    return undefined;
  } catch (error) {
    if (error instanceof EventStoreError) return error.message;
    throw error;
  }
}

/** The options of one client of the driver. */
export function clientSettings(
  { address }: ServerSettings,
  node: EndPoint | undefined,
  mustLead: boolean,
): SingleNodeOptions | DNSClusterOptions | GossipClusterOptions {
  clients += 1;
  const settings = {
    connectionName: address.connectionName ?? 'tillstream',
    throwOnAppendFailure: true,
    keepAliveInterval: address.keepAliveInterval ?? KEEP_ALIVE_MS,
    // The process shares a connection between channels of equal settings. A new client must not get the connection for
    // which the last client was closed.
    keepAliveTimeout: (address.keepAliveTimeout ?? KEEP_ALIVE_TIMEOUT_MS) + (clients % 1000),
  };
  const [first = { address: 'localhost', port: 2113 }] = address.hosts;
  if (node !== undefined) return { ...settings, endpoint: node };
  if (!address.dnsDiscover && address.hosts.length === 1) return { ...settings, endpoint: first };
  const discovery = {
    nodePreference: (mustLead ? undefined : address.nodePreference) ?? 'leader',
    maxDiscoverAttempts: address.maxDiscoverAttempts ?? DISCOVERY_ROUNDS,
    discoveryInterval: address.discoveryInterval ?? DISCOVERY_PAUSE_MS,
    gossipTimeout: address.gossipTimeout ?? GOSSIP_TIMEOUT_S,
  };
  const nodes = address.dnsDiscover ? { discover: first } : { endpoints: address.hosts };
  return { ...settings, ...discovery, ...nodes };
}

function channelSecurity({ tls, tlsCAFile, userCertFile, userKeyFile }: Address): ChannelCredentialOptions {
  if (tls === false) return { insecure: true };
  const security: ChannelCredentialOptions = {};
  if (tlsCAFile !== undefined) {
    const rootCertificate = readSettingFile('tlsCAFile', tlsCAFile);
    check(() => new X509Certificate(rootCertificate), 'tlsCAFile holds no certificate (PEM)');
    security.rootCertificate = rootCertificate;
  }
  if (userCertFile === undefined && userKeyFile === undefined) return security;
  if (userCertFile === undefined || userKeyFile === undefined) {
    throw unusableAddress('userCertFile and userKeyFile go together');
  }
  const cert = readSettingFile('userCertFile', userCertFile);
  const key = readSettingFile('userKeyFile', userKeyFile);
  check(
    () => createSecureContext({ cert, key }),
    'userCertFile and userKeyFile hold no certificate and its key (PEM)',
  );
  return { ...security, userCertFile: cert, userKeyFile: key };
}

function readSettingFile(name: string, file: string): Buffer {
  return check(() => readFileSync(resolve(file)), `${name} names a file that can't be read: ${file}`);
}

function check<T>(attempt: () => T, what: string): T {
  try {
    return attempt();
  } catch {
    throw unusableAddress(what);
  }
}
