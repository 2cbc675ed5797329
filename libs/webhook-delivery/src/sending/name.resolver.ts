import { Resolver } from 'node:dns/promises';
import { readFile } from 'node:fs/promises';
import { isIP } from 'node:net';

/** Resolves to all addresses of a host name, at least one. Rejects if the name can't be resolved. */
export type NameResolver = (name: string) => Promise<readonly string[]>;

const HOSTS_FILE = '/etc/hosts';
const HOSTS_CACHED_MS = 10_000;
const QUERY_TIMEOUT_MS = 2_000;
const QUERY_TRIES = 3;
/** More addresses than this are ignored. */
const ADDRESSES_MAX = 8;

/**
 * Asks the name servers of this machine, after its hosts file. It does not use `dns.lookup`: that one blocks a thread of a
 * pool of four, so a few names whose servers never answer would stop all other look-ups, and file access too.
 */
export function systemResolver(): NameResolver {
  const servers = new Resolver({ timeout: QUERY_TIMEOUT_MS, tries: QUERY_TRIES });
  const hosts = cachedHostsFile();
  return async (name) => {
    const asked = name.toLowerCase().replace(/\.$/, '');
    const listed = (await hosts()).get(asked);
    if (listed !== undefined) return listed;
    const [v4, v6] = await Promise.allSettled([servers.resolve4(asked), servers.resolve6(asked)]);
    const addresses = [v4, v6].flatMap((result) => (result.status === 'fulfilled' ? result.value : []));
    if (addresses.length > 0) return addresses.slice(0, ADDRESSES_MAX);
    throw v4.status === 'rejected' ? v4.reason : new Error(`${asked} has no address`);
  };
}

/** Calls during a read wait for it. */
function cachedHostsFile(): () => Promise<ReadonlyMap<string, readonly string[]>> {
  let table: Promise<ReadonlyMap<string, readonly string[]>> = Promise.resolve(new Map());
  let readAt = Number.NEGATIVE_INFINITY;
  return () => {
    if (performance.now() - readAt < HOSTS_CACHED_MS) return table;
    readAt = performance.now();
    table = readFile(HOSTS_FILE, 'utf8').then(parseHosts, () => new Map());
    return table;
  };
}

/** Addresses by host name in lower case. */
export function parseHosts(text: string): ReadonlyMap<string, readonly string[]> {
  const table = new Map<string, string[]>();
  for (const line of text.split('\n')) {
    const [address = '', ...names] = line.replace(/#.*/, '').trim().split(/\s+/);
    if (isIP(address) === 0) continue;
    for (const name of names.map((written) => written.toLowerCase()))
      table.set(name, [...(table.get(name) ?? []), address]);
  }
  return table;
}
