import { parseAddress, parseSubnet, subnetContains, type IpAddress, type Subnet } from './ip.address.js';
import { GLOBAL_IPV6, SPECIAL_IPV4, SPECIAL_IPV6 } from './special.subnets.js';

const SPECIAL: readonly { readonly subnet: Subnet; readonly name: string }[] = [
  ...SPECIAL_IPV4,
  ...SPECIAL_IPV6,
].map(([subnet, name]) => ({ subnet: parseSubnet(subnet), name }));
const GLOBAL = parseSubnet(GLOBAL_IPV6);
const NAT64 = parseSubnet('64:ff9b::/96');
const IPV4_BITS = 0xffff_ffffn;
/** Interface ids of ISATAP (RFC 5214) contain an IPv4 address; with and without the bit of a unique one. */
const ISATAP_MARKS: readonly bigint[] = [0x0000_5efen, 0x0200_5efen];
/** Names of this machine without a look-up (RFC 6761). */
const LOOPBACK_NAME = /(^|\.)localhost\.?$/;

/** The kind of a special address, such as `loopback`; undefined for a public one. */
export function specialAddressKind(address: IpAddress): string | undefined {
  const special = SPECIAL.find(({ subnet }) => subnetContains(subnet, address));
  if (special !== undefined) return special.name;
  if (address.family === 4) return undefined;
  if (!subnetContains(GLOBAL, address)) return 'reserved';
  return ISATAP_MARKS.includes((address.bits >> 32n) & IPV4_BITS) ? 'ISATAP' : undefined;
}

/** The addresses that deliveries may go to: all public ones, and the special ones of the allowed subnets. */
export class AllowedAddresses {
  readonly #allowed: readonly Subnet[];

  /**
   * @param subnets special subnets that are allowed: `127.0.0.0/8`
   * @throws Error if one is no subnet
   */
  constructor(subnets: readonly string[] = []) {
    this.#allowed = subnets.map(parseSubnet);
  }

  /** Why a delivery may not go to `address`, as the kind of the address; undefined if it may. */
  refusal(address: string): string | undefined {
    const parsed = parseAddress(address);
    return parsed === undefined ? 'no address' : this.#refusal(parsed);
  }

  /**
   * As `refusal`, for a URL whose host is an address in any spelling (decimal, octal, hexadecimal, shortened), or a name of
   * this machine. Undefined for any other name: its addresses are checked when a connection is made.
   */
  refusalOfUrl(url: URL): string | undefined {
    if (LOOPBACK_NAME.test(url.hostname)) return this.refusal('127.0.0.1');
    const address = literalAddress(url);
    return address === undefined ? undefined : this.refusal(address);
  }

  #refusal(address: IpAddress): string | undefined {
    const kind = specialAddressKind(address);
    if (kind === undefined) return undefined;
    if (!this.#allowed.some((subnet) => subnetContains(subnet, address))) return kind;
    // In a network without IPv4 the NAT64 prefix can be allowed; what the gateway reaches is checked all the same.
    if (!subnetContains(NAT64, address)) return undefined;
    return this.#refusal({ family: 4, bits: address.bits & IPV4_BITS });
  }
}

/** The host of `url` if it is an address: the parser of URLs has put every spelling into the usual notation. */
export function literalAddress({ hostname }: URL): string | undefined {
  const address = hostname.replace(/^\[(.*)\]$/, '$1');
  return parseAddress(address) === undefined ? undefined : address;
}
