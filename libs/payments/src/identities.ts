import { hash, randomBytes, randomUUID } from 'node:crypto';
import { operationRoot, ulid } from '@tillstream/domain';
import type { Clock } from './clock.port.js';
import type { IdempotencyTicket } from './request.types.js';

/** What a request goes under: its command, and the root of a stream should it open one. An idempotency key fixed both. */
export interface RequestIdentity {
  readonly commandId: string;
  readonly root: string;
}

export function identityOf(ticket: IdempotencyTicket | undefined, clock: Clock): RequestIdentity {
  return ticket ?? newIdentity(clock);
}

export function newIdentity(clock: Clock): RequestIdentity {
  return { commandId: newCommandId(), root: operationRoot(clock.now(), randomBytes(13)) };
}

export function newCommandId(): string {
  return randomUUID();
}

/** `mer_01J…`: prefix and ULID. */
export function newId(prefix: string, clock: Clock): string {
  return `${prefix}${ulid(clock.now(), randomBytes(16))}`;
}

/** The same command always means the same id; it tells no time. */
export function idOfCommand(prefix: string, commandId: string): string {
  const bytes = Buffer.from(sha256(commandId), 'hex');
  return `${prefix}${ulid(bytes.readUIntBE(0, 6), bytes.subarray(6))}`;
}

export function sha256(text: string): string {
  return hash('sha256', text, 'hex');
}
