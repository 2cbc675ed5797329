import { paymentStream } from '@tillstream/domain';
import type { ExistingOperation } from './existing-operation.js';
import type { Clock } from '../ports/clock.port.js';
import type { IdempotencyRecord, IdempotencyStore } from './idempotency.port.js';
import { newIdempotencyRecord } from './key-reservation.js';
import { newRequestIdentity } from '../identifiers.js';
import type { PaymentsLog } from '../ports/log.port.js';
import type { Timings } from '../timings.js';
import type { Idempotency, IdempotencyStart, IdempotencyTicket } from './idempotency.types.js';

const PAGE_RECORDS = 200;

/**
 * `Idempotency-Key` (`docs/spec/idempotency.md#idempotency-key`): a key starts at most one operation, also after repeats,
 * crashes and lost responses.
 */
export class IdempotencyKeys implements Idempotency {
  constructor(
    private readonly store: IdempotencyStore,
    private readonly findOperation: (
      stream: string,
      commandId: string,
    ) => Promise<ExistingOperation | undefined>,
    private readonly clock: Clock,
    private readonly timings: Timings,
    private readonly log: PaymentsLog,
  ) {}

  async start(merchantId: string, key: string, fingerprint: string): Promise<IdempotencyStart> {
    let record: IdempotencyRecord | undefined;
    try {
      record = await this.store.find(merchantId, key);
      if (record) return await this.startFromRecord(record, fingerprint);
      return { kind: 'New', ticket: { key, fingerprint, ...newRequestIdentity(this.clock) } };
    } catch (error) {
      // The lookup failed, so the key may have started an operation.
      this.log.error('begun-operation-not-read', { reason: errorCode(error) });
      const { operationId } = record ?? {};
      return { kind: 'Unseen', ...(operationId !== undefined && { operationId }) };
    }
  }

  private async startFromRecord(record: IdempotencyRecord, fingerprint: string): Promise<IdempotencyStart> {
    if (await this.hasExpired(record)) {
      const { key, commandId: replaces } = record;
      return { kind: 'New', ticket: { key, fingerprint, ...newRequestIdentity(this.clock), replaces } };
    }
    if (record.fingerprint !== fingerprint) return { kind: 'Mismatch' };
    if (record.response) return { kind: 'Replay', answer: record.response };
    return this.startWithoutResponse(record);
  }

  async reserve(merchantId: string, ticket: IdempotencyTicket): Promise<boolean> {
    if (ticket.earlierReservation) return true;
    const record = newIdempotencyRecord(merchantId, ticket, paymentStream(ticket.root), this.clock);
    return this.store.reserveAlone(record, ticket.replaces);
  }

  async release(merchantId: string, { key, commandId }: IdempotencyTicket): Promise<void> {
    await this.store.release(merchantId, key, commandId);
  }

  async storeResponse(
    merchantId: string,
    { key, commandId }: Pick<IdempotencyRecord, 'key' | 'commandId'>,
    answer: Uint8Array,
  ): Promise<void> {
    await this.store.storeResponse(merchantId, key, commandId, answer);
  }

  /** The first request still runs, or its process ended: then history gives the response, and only the resolver sends. */
  private async startWithoutResponse(record: IdempotencyRecord): Promise<IdempotencyStart> {
    const { commandId, stream } = record;
    const operation = await this.findOperation(stream, commandId);
    if (!operation) {
      // A key without a request: only stores that can't write both in one step leave this behind.
      const mayRun = this.clock.now() <= record.reservedAt + this.longestRun();
      if (mayRun) return { kind: 'Running' };
      const root = stream.slice(stream.indexOf('-') + 1);
      const { key, fingerprint } = record;
      return { kind: 'New', ticket: { key, fingerprint, commandId, root, earlierReservation: record } };
    }
    const { attemptEndsBy } = operation;
    const isRunning =
      attemptEndsBy !== undefined && this.clock.realNow() <= attemptEndsBy + this.timings.margin;
    if (isRunning) return { kind: 'Running' };
    return { kind: 'FromHistory', result: await operation.storedResult(), commandId };
  }

  /** Deletes expired keys, page by page. Returns their number. */
  async forgetExpired(): Promise<number> {
    const reservedBefore = this.clock.now() - this.timings.idempotencyLifetime;
    let forgotten = 0;
    for (let last: IdempotencyRecord | undefined; ;) {
      const page = await this.store.listWithResponse(reservedBefore, last, PAGE_RECORDS);
      for (const record of page) {
        if (!(await this.hasExpired(record))) continue;
        await this.store.release(record.merchantId, record.key, record.commandId);
        forgotten += 1;
      }
      last = page.at(-1);
      if (page.length < PAGE_RECORDS) return forgotten;
    }
  }

  /**
   * A key expires after its lifetime, and never before its operation has an outcome: a repeat must not charge a customer
   * whose sale is still unknown a day later.
   */
  private async hasExpired({ reservedAt, response, stream, commandId }: IdempotencyRecord): Promise<boolean> {
    if (response === undefined || this.clock.now() < reservedAt + this.timings.idempotencyLifetime)
      return false;
    const operation = await this.findOperation(stream, commandId);
    return operation === undefined || !operation.isPending;
  }

  private longestRun(): number {
    const { sendWithin, terminalDeadline, margin } = this.timings;
    return sendWithin + terminalDeadline + margin;
  }
}

/** The code of a store's error contains no data of the request. */
function errorCode(error: unknown): string {
  const { code, name } = error as { readonly code?: unknown; readonly name?: unknown };
  return String(code ?? name ?? 'unknown');
}
