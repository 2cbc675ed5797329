import type { Metadata } from '@grpc/grpc-js';
import type { DoubleOptions } from '../double.options.js';
import type { CallRefusal } from './call.refusal.js';

/** Each known user may do everything. A server without TLS checks no user. */
export function accessRefusal(options: DoubleOptions, metadata: Metadata): CallRefusal | undefined {
  if (options.tls === undefined || options.users === undefined) return undefined;
  const header = metadata.get('authorization')[0];
  if (header === undefined) return { kind: 'AccessDenied' };
  const [, name, password] = /^([^:]*):(.*)$/s.exec(decoded(String(header))) ?? [];
  const known = name !== undefined && Object.hasOwn(options.users, name) && options.users[name] === password;
  return known ? undefined : { kind: 'WrongPassword' };
}

function decoded(header: string): string {
  return Buffer.from(header.replace(/^Basic /, ''), 'base64').toString('utf8');
}
