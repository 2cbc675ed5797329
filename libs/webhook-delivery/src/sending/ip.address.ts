import { isIP } from 'node:net';

export interface IpAddress {
  readonly family: 4 | 6;
  /** The address as a number of 32 or 128 bits. */
  readonly bits: bigint;
}

export interface Subnet extends IpAddress {
  /** Number of leading bits that all addresses of the subnet share. */
  readonly prefix: number;
}

const WIDTH = { 4: 32, 6: 128 } as const;

/** Undefined if `text` is no address in the usual notation. The zone of a link-local address is ignored. */
export function parseAddress(text: string): IpAddress | undefined {
  const [address = ''] = text.split('%');
  const family = isIP(address);
  if (family === 4) return { family, bits: parseIpv4(address) };
  if (family === 6) return { family, bits: parseIpv6(address) };
  return undefined;
}

/**
 * @param text `10.0.0.0/8`, or one address
 * @throws Error if it is neither
 */
export function parseSubnet(text: string): Subnet {
  const [address = '', length] = text.split('/');
  const parsed = parseAddress(address);
  const prefix = length === undefined ? parsed && WIDTH[parsed.family] : Number(length);
  if (parsed === undefined || prefix === undefined || !(prefix >= 0 && prefix <= WIDTH[parsed.family]))
    throw new Error(`"${text}" is no subnet`);
  return { ...parsed, prefix };
}

export function subnetContains(subnet: Subnet, address: IpAddress): boolean {
  if (subnet.family !== address.family) return false;
  const shift = BigInt(WIDTH[subnet.family] - subnet.prefix);
  return subnet.bits >> shift === address.bits >> shift;
}

function parseIpv4(address: string): bigint {
  return address.split('.').reduce((bits, part) => (bits << 8n) | BigInt(part), 0n);
}

/** `address` is valid. */
function parseIpv6(address: string): bigint {
  const [head = '', tail] = address.split('::');
  const before = groupsOf(head);
  const after = groupsOf(tail ?? '');
  const zeros = new Array<bigint>(8 - before.length - after.length).fill(0n);
  return [...before, ...zeros, ...after].reduce((bits, group) => (bits << 16n) | group, 0n);
}

/** Groups of 16 bits. The last two may be written as an IPv4 address. */
function groupsOf(text: string): readonly bigint[] {
  if (text === '') return [];
  return text.split(':').flatMap((group) => {
    if (!group.includes('.')) return [BigInt(`0x${group}`)];
    const bits = parseIpv4(group);
    return [bits >> 16n, bits & 0xffffn];
  });
}
