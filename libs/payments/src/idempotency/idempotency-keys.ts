import { paymentStream, type OperationId } from '@tillstream/domain';
import type { ExistingOperation } from './existing-operation.js';
import type { IdempotencyRecord } from './idempotency.port.js';
import { newIdempotencyRecord } from './key-reservation.js';
import { newRequestIdentity } from '../identifiers.js';
import type { Ports } from '../parts.js';
import type { OperationResult } from '../requests/request.types.js';
import type { TokenResult } from '../stored-cards/stored-card.types.js';

const PAGE_RECORDS = 200;

/** The right to run the request of an idempotency key: under this command and, for a new payment, in this stream. */
export interface IdempotencyTicket {
  readonly key: string;
  readonly fingerprint: string;
  readonly commandId: string;
  /** The root of the stream, if the request opens a payment. */
  readonly root: string;
  /** The command of the expired record that this one replaces. */
  readonly replaces?: string;
  /** An earlier run reserved the key and appended no request. */
  readonly earlierReservation?: IdempotencyRecord;
}

export type IdempotencyStart =
  | { readonly kind: 'New'; readonly ticket: IdempotencyTicket }
  | { readonly kind: 'Replay'; readonly answer: Uint8Array }
  /** The same key with another method, path or body. */
  | { readonly kind: 'Mismatch' }
  /** The first request still runs: 409/3401. */
  | { readonly kind: 'Running' }
  /** The key's record or operation can't be read now. */
  | { readonly kind: 'Unseen'; readonly operationId?: OperationId }
  /** The first request was stored without a response. History gives the response: store it under the record's command. */
  | {
      readonly kind: 'FromHistory';
      /** Of an operation on a payment or on a token. */
      readonly result: OperationResult | TokenResult;
      readonly commandId: string;
    };

/**
 * `Idempotency-Key` (`docs/spec/idempotency.md#idempotency-key`): a key starts at most one operation, also after repeats,
 * crashes and lost responses.
 */
export class IdempotencyKeys {
  constructor(
    private readonly ports: Pick<Ports, 'idempotency' | 'clock' | 'timings' | 'log'>,
    private readonly findOperation: (
      stream: string,
      commandId: string,
    ) => Promise<ExistingOperation | undefined>,
  ) {}

  /**
   * Called after the body was validated and before anything that depends on state
   * (`docs/spec/errors.md#which-answer-wins`).
   */
  async start(merchantId: string, key: string, fingerprint: string): Promise<IdempotencyStart> {
    let record: IdempotencyRecord | undefined;
    try {
      record = await this.ports.idempotency.find(merchantId, key);
      if (record) return await this.startFromRecord(record, fingerprint);
      return { kind: 'New', ticket: { key, fingerprint, ...newRequestIdentity(this.ports.clock) } };
    } catch (error) {
      // The lookup failed, so the key may have started an operation.
      this.ports.log.error('begun-operation-not-read', { reason: errorCode(error) });
      const { operationId } = record ?? {};
      return { kind: 'Unseen', ...(operationId !== undefined && { operationId }) };
    }
  }

  private async startFromRecord(record: IdempotencyRecord, fingerprint: string): Promise<IdempotencyStart> {
    if (await this.hasExpired(record)) {
      const { key, commandId: replaces } = record;
      return { kind: 'New', ticket: { key, fingerprint, ...newRequestIdentity(this.ports.clock), replaces } };
    }
    if (record.fingerprint !== fingerprint) return { kind: 'Mismatch' };
    if (record.response) return { kind: 'Replay', answer: record.response };
    return this.startWithoutResponse(record);
  }

  /** For a request that starts no operation. False: a concurrent request reserved the key. */
  async reserve(merchantId: string, ticket: IdempotencyTicket): Promise<boolean> {
    if (ticket.earlierReservation) return true;
    const record = newIdempotencyRecord(merchantId, ticket, paymentStream(ticket.root), this.ports.clock);
    return this.ports.idempotency.reserveAlone(record, ticket.replaces);
  }

  /** After a rejection: the key can be used again. */
  async release(merchantId: string, { key, commandId }: IdempotencyTicket): Promise<void> {
    await this.ports.idempotency.release(merchantId, key, commandId);
  }

  /** Durable when it resolves: call it before the client gets the response. */
  async storeResponse(
    merchantId: string,
    { key, commandId }: Pick<IdempotencyRecord, 'key' | 'commandId'>,
    answer: Uint8Array,
  ): Promise<void> {
    await this.ports.idempotency.storeResponse(merchantId, key, commandId, answer);
  }

  /** The first request still runs, or its process ended: then history gives the response, and only the resolver sends. */
  private async startWithoutResponse(record: IdempotencyRecord): Promise<IdempotencyStart> {
    const { commandId, stream } = record;
    const operation = await this.findOperation(stream, commandId);
    if (!operation) {
      // A key without a request: only stores that can't write both in one step leave this behind.
      const mayRun = this.ports.clock.now() <= record.reservedAt + this.longestRun();
      if (mayRun) return { kind: 'Running' };
      const root = stream.slice(stream.indexOf('-') + 1);
      const { key, fingerprint } = record;
      return { kind: 'New', ticket: { key, fingerprint, commandId, root, earlierReservation: record } };
    }
    const { attemptEndsBy } = operation;
    const isRunning =
      attemptEndsBy !== undefined && this.ports.clock.realNow() <= attemptEndsBy + this.ports.timings.margin;
    if (isRunning) return { kind: 'Running' };
    return { kind: 'FromHistory', result: await operation.storedResult(), commandId };
  }

  /** Deletes expired keys, page by page. Returns their number. */
  async forgetExpired(): Promise<number> {
    const reservedBefore = this.ports.clock.now() - this.ports.timings.idempotencyLifetime;
    let forgotten = 0;
    for (let last: IdempotencyRecord | undefined; ;) {
      const page = await this.ports.idempotency.listWithResponse(reservedBefore, last, PAGE_RECORDS);
      for (const record of page) {
        if (!(await this.hasExpired(record))) continue;
        await this.ports.idempotency.release(record.merchantId, record.key, record.commandId);
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
    if (
      response === undefined ||
      this.ports.clock.now() < reservedAt + this.ports.timings.idempotencyLifetime
    )
      return false;
    const operation = await this.findOperation(stream, commandId);
    return operation === undefined || !operation.isPending;
  }

  private longestRun(): number {
    const { sendWithin, terminalDeadline, margin } = this.ports.timings;
    return sendWithin + terminalDeadline + margin;
  }
}

/** The code of a store's error contains no data of the request. */
function errorCode(error: unknown): string {
  const { code, name } = error as { readonly code?: unknown; readonly name?: unknown };
  return String(code ?? name ?? 'unknown');
}
