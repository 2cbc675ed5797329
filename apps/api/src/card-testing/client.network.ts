import { isIP } from 'node:net';
import type { Request } from 'express';
import ipaddr from 'ipaddr.js';

/**
 * The address that the client of a request is counted by: its IPv4 address, or the /64 network of its IPv6 address, of which
 * one customer has every address. Express takes it from `X-Forwarded-For` if the request came through `TRUSTED_PROXIES`; a
 * proxy that reported no address is counted itself.
 */
export function clientNetwork({ ip, socket }: Pick<Request, 'ip' | 'socket'>): string {
  return networkOf(ip) ?? networkOf(socket.remoteAddress) ?? 'unknown';
}

/** The whole address of that client; undefined if it is unknown. */
export function clientAddress({ ip, socket }: Pick<Request, 'ip' | 'socket'>): string | undefined {
  return (parsedAddress(ip) ?? parsedAddress(socket.remoteAddress))?.toString();
}

const BITS_16 = 16;

function parsedAddress(text = ''): ReturnType<typeof ipaddr.process> | undefined {
  const address = withoutPort(text);
  return isIP(address) === 0 ? undefined : ipaddr.process(address);
}

function networkOf(text: string | undefined): string | undefined {
  const parsed = parsedAddress(text);
  if (!parsed) return undefined;
  if (parsed.kind() === 'ipv4') return parsed.toString();
  const parts = (parsed as ipaddr.IPv6).parts.slice(0, 4);
  return `${parts.map((part) => part.toString(BITS_16)).join(':')}::/64`;
}

/** Some proxies write `192.0.2.1:4711` or `[2001:db8::1]:4711`. */
function withoutPort(text: string): string {
  const [, ipv6, ipv4] = /^(?:\[([^\]]*)\](?::\d+)?|([\d.]+):\d+)$/.exec(text) ?? [];
  return ipv6 ?? ipv4 ?? text;
}
