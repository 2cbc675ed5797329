import { paymentStream } from '@tillstream/domain';
import type { ExistingOperation } from './existing-operation.js';
import type { Clock } from '../ports/clock.port.js';
import type { IdempotencyRecord, IdempotencyStore } from './idempotency.port.js';
import { newRequestIdentity } from '../identifiers.js';
import type { PaymentsLog } from '../ports/log.port.js';
import type { IdempotencyTicket } from '../requests/request.types.js';
import type { Timings } from '../timings.js';
import type { Idempotency, IdempotencyStart } from '../payments.types.js';

const FORGOTTEN_AT_ONCE = 200;

/**
 * `Idempotency-Key` (`docs/spec/idempotency.md#idempotency-key`): one operation for a key, whatever is repeated, killed
 * or lost.
 */
export class IdempotencyKeys implements Idempotency {
  constructor(
    private readonly store: IdempotencyStore,
    private readonly begunBy: (stream: string, commandId: string) => Promise<ExistingOperation | undefined>,
    private readonly clock: Clock,
    private readonly timings: Timings,
    private readonly log: PaymentsLog,
  ) {}

  async start(merchantId: string, key: string, fingerprint: string): Promise<IdempotencyStart> {
    let record: IdempotencyRecord | undefined;
    try {
      record = await this.store.find(merchantId, key);
      if (record) return await this.startOf(record, fingerprint);
      return { kind: 'New', ticket: { key, fingerprint, ...newRequestIdentity(this.clock) } };
    } catch (error) {
      // The key may have begun an operation: a look that fails does not say that it has not.
      this.log.error('begun-operation-not-read', { reason: codeOf(error) });
      const { operationId } = record ?? {};
      return { kind: 'Unseen', ...(operationId !== undefined && { operationId }) };
    }
  }

  private async startOf(record: IdempotencyRecord, fingerprint: string): Promise<IdempotencyStart> {
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
    const { key, fingerprint, commandId, root, replaces } = ticket;
    const record = {
      merchantId,
      key,
      fingerprint,
      commandId,
      stream: paymentStream(root),
      reservedAt: this.clock.now(),
    };
    return this.store.reserveAlone(record, replaces);
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

  /** The first run is on its way, or it died: then history answers, and only the resolver sends. */
  private async startWithoutResponse(record: IdempotencyRecord): Promise<IdempotencyStart> {
    const { commandId, stream } = record;
    const begun = await this.begunBy(stream, commandId);
    if (!begun) {
      // Reserved and never requested: only stores that can't do both in one step leave this behind.
      const over = this.clock.now() > record.reservedAt + this.longestRun();
      if (!over) return { kind: 'Running' };
      const root = stream.slice(stream.indexOf('-') + 1);
      const { key, fingerprint } = record;
      return { kind: 'New', ticket: { key, fingerprint, commandId, root, earlierReservation: record } };
    }
    const { attemptEndsBy } = begun;
    const isRunning =
      attemptEndsBy !== undefined && this.clock.realNow() <= attemptEndsBy + this.timings.margin;
    if (isRunning) return { kind: 'Running' };
    return { kind: 'FromHistory', result: await begun.storedResult(), commandId };
  }

  /** Forgets, page by page, the keys whose time is over; gives how many. */
  async forgetExpired(): Promise<number> {
    const before = this.clock.now() - this.timings.idempotencyLifetime;
    let forgotten = 0;
    for (let last: IdempotencyRecord | undefined; ;) {
      const page = await this.store.listWithResponse(before, last, FORGOTTEN_AT_ONCE);
      for (const record of page) {
        if (!(await this.hasExpired(record))) continue;
        await this.store.release(record.merchantId, record.key, record.commandId);
        forgotten += 1;
      }
      last = page.at(-1);
      if (page.length < FORGOTTEN_AT_ONCE) return forgotten;
    }
  }

  /**
   * Kept for its lifetime, and never less than until its operation has an outcome: a customer whose sale is still
   * unknown a day later must not be charged by a repeat.
   */
  private async hasExpired({ reservedAt, response, stream, commandId }: IdempotencyRecord): Promise<boolean> {
    if (response === undefined || this.clock.now() < reservedAt + this.timings.idempotencyLifetime)
      return false;
    const begun = await this.begunBy(stream, commandId);
    return begun === undefined || !begun.isPending;
  }

  private longestRun(): number {
    const { sendWithin, terminalDeadline, margin } = this.timings;
    return sendWithin + terminalDeadline + margin;
  }
}

/** Of the stores' own errors their code, which quotes nothing of a request. */
function codeOf(error: unknown): string {
  const { code, name } = error as { readonly code?: unknown; readonly name?: unknown };
  return String(code ?? name ?? 'unknown');
}
