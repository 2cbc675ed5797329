import { hash, randomUUID } from 'node:crypto';
import { operationRoot, ulid } from '@tillstream/domain';
import { pooledRandomBytes } from '@tillstream/event-store';
import type { Clock } from './ports/clock.port.js';
import type { IdempotencyTicket } from './requests/request.types.js';

/** What a request goes under: its command, and the root of a stream should it open one. An idempotency key fixed both. */
export interface RequestIdentity {
  readonly commandId: string;
  readonly root: string;
}

export function requestIdentity(ticket: IdempotencyTicket | undefined, clock: Clock): RequestIdentity {
  return ticket ?? newRequestIdentity(clock);
}

export function newRequestIdentity(clock: Clock): RequestIdentity {
  return { commandId: newCommandId(), root: operationRoot(clock.now(), pooledRandomBytes(13)) };
}

export function newCommandId(): string {
  return randomUUID();
}

/** `mer_01J…`: prefix and ULID. */
export function newId(prefix: string, clock: Clock): string {
  return `${prefix}${ulid(clock.now(), pooledRandomBytes(16))}`;
}

/** The same command always means the same id; it tells no time. */
export function idForCommand(prefix: string, commandId: string): string {
  const bytes = Buffer.from(sha256(commandId), 'hex');
  return `${prefix}${ulid(bytes.readUIntBE(0, 6), bytes.subarray(6))}`;
}

export function sha256(text: string): string {
  return hash('sha256', text, 'hex');
}
