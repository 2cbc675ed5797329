import type {
  ChannelCredentialOptions,
  Credentials,
  DNSClusterOptions,
  EndPoint,
  GossipClusterOptions,
  SingleNodeOptions,
} from '@eventstore/db-client';
import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { createSecureContext } from 'node:tls';
import { parseAddress, hostList, unusableAddress, type Address } from './connection.address.js';

/** How to connect: the address of the configuration, read once, with the files that it names. */
export interface ServerSettings {
  readonly address: Address;
  readonly security: ChannelCredentialOptions;
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

/** Throws `Invalid`, with one sentence and no secret, for an address that can't be used. */
export function readServerSettings(url: string): ServerSettings {
  const address = parseAddress(url);
  return {
    address,
    security: channelSecurity(address),
    credentials: address.defaultCredentials,
    name: hostList(address),
    clustered: address.dnsDiscover || address.hosts.length > 1,
  };
}

/** What one client of the driver is made with. */
export function clientSettings(
  { address }: ServerSettings,
  node: EndPoint | undefined,
  mustLead: boolean,
): SingleNodeOptions | DNSClusterOptions | GossipClusterOptions {
  const timeout = address.keepAliveTimeout ?? KEEP_ALIVE_TIMEOUT_MS;
  clients += 1;
  const settings = {
    connectionName: address.connectionName ?? 'tillstream',
    throwOnAppendFailure: true,
    keepAliveInterval: address.keepAliveInterval ?? KEEP_ALIVE_MS,
    // Channels of equal settings share one connection in the process. A new client must not get the one that the
    // last was closed for.
    keepAliveTimeout: timeout < 0 ? timeout : timeout + (clients % 1000),
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
  const authority =
    tlsCAFile === undefined ? {} : { rootCertificate: readSettingFile('tlsCAFile', tlsCAFile) };
  if (authority.rootCertificate !== undefined) {
    const { rootCertificate } = authority;
    check(() => new X509Certificate(rootCertificate), 'tlsCAFile holds no certificate (PEM)');
  }
  if (userCertFile === undefined && userKeyFile === undefined) return authority;
  if (userCertFile === undefined || userKeyFile === undefined) {
    throw unusableAddress('userCertFile and userKeyFile go together');
  }
  const user = {
    userCertFile: readSettingFile('userCertFile', userCertFile),
    userKeyFile: readSettingFile('userKeyFile', userKeyFile),
  };
  const pair = { cert: user.userCertFile, key: user.userKeyFile };
  check(
    () => createSecureContext(pair),
    'userCertFile and userKeyFile hold no certificate and its key (PEM)',
  );
  return { ...authority, ...user };
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
