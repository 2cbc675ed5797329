import type { LookupFunction } from 'node:net';
import { buildConnector } from 'undici';
import { parseAddress } from './ip.address.js';
import type { NameResolver } from './name.resolver.js';
import type { AllowedAddresses } from './special.address.js';

/** A connection was refused before it was made: the host has no address that deliveries may go to. */
export class AddressRefused extends Error {
  override readonly name = 'AddressRefused';
}

export interface ConnectorOptions {
  readonly allowed: AllowedAddresses;
  readonly resolve: NameResolver;
  readonly timeoutMs: number;
  /** Certificates (PEM) that are trusted besides those of Node. */
  readonly ca?: readonly string[];
}

/** Ms for one address of several, before the next one is tried beside it. */
const NEXT_ADDRESS_AFTER_MS = 300;

/**
 * Connects to checked addresses only. A name is resolved once for a connection, and the socket connects to the addresses
 * of this one answer, so a name server that answers otherwise a second time changes nothing. TLS checks the certificate
 * against the name in the URL.
 */
export function guardedConnector(options: ConnectorOptions): buildConnector.connector {
  const { allowed, resolve, timeoutMs, ca } = options;
  const connect = buildConnector({
    timeout: timeoutMs,
    lookup: checkedLookup(allowed, resolve),
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: NEXT_ADDRESS_AFTER_MS,
    rejectUnauthorized: true,
    ...(ca && { ca: [...ca] }),
  });
  return (target, callback) => {
    // Node does not look up a host that is an address.
    const isAddress = parseAddress(target.hostname) !== undefined;
    if (isAddress && allowed.refusal(target.hostname) !== undefined) callback(refused(target.hostname), null);
    else connect(target, callback);
  };
}

/** A look-up that answers checked addresses only; Node connects to what it answers. */
function checkedLookup(allowed: AllowedAddresses, resolve: NameResolver): LookupFunction {
  return (name, { all }, callback) => {
    resolve(name).then(
      (addresses) => {
        const checked = addresses.flatMap((address) => {
          const family = parseAddress(address)?.family;
          return family !== undefined && allowed.refusal(address) === undefined ? [{ address, family }] : [];
        });
        const [first] = checked;
        if (first === undefined) callback(refused(name), '');
        else if (all === true) callback(null, checked);
        else callback(null, first.address, first.family);
      },
      (error: unknown) => callback(error instanceof Error ? error : new Error(String(error)), ''),
    );
  };
}

/** Does not name the address: merchants read this, and it may be one of an internal name server. */
function refused(host: string): AddressRefused {
  return new AddressRefused(`${host} has no public address`);
}
