import { hash, randomBytes, randomUUID } from 'node:crypto';
import { operationRoot, ulid } from '@tillstream/domain';
import type { Clock } from './ports/clock.port.js';
import type { IdempotencyTicket } from './idempotency/idempotency-keys.js';

/** The ids of a request. An idempotency key fixes both, so that a repeat has the same ones. */
type RequestIdentity = Pick<IdempotencyTicket, 'commandId' | 'root'>;

export function requestIdentity(ticket: IdempotencyTicket | undefined, clock: Clock): RequestIdentity {
  return ticket ?? newRequestIdentity(clock);
}

export function newRequestIdentity(clock: Clock): RequestIdentity {
  return { commandId: newCommandId(), root: operationRoot(clock.now(), randomBytes(13)) };
}

export function newCommandId(): string {
  return randomUUID();
}

/** `mer_01J…`: prefix and ULID. */
export function newId(prefix: string, clock: Clock): string {
  return `${prefix}${ulid(clock.now(), randomBytes(16))}`;
}

/** The same command always gives the same id. The id does not contain the time. */
export function idForCommand(prefix: string, commandId: string): string {
  const bytes = Buffer.from(sha256(commandId), 'hex');
  return `${prefix}${ulid(bytes.readUIntBE(0, 6), bytes.subarray(6))}`;
}

export function sha256(text: string): string {
  return hash('sha256', text, 'hex');
}
