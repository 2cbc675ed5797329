import { PAYMENT_CATEGORY, paymentCodec, type PaymentEvent } from '@tillstream/domain';
import type { EventStore, Position, RecordedEvent } from '@tillstream/event-store';
import type { ProcessorRecords } from '@tillstream/processors';
import { eventMetadata, fromRecorded } from '../stream-repository/event-metadata.js';
import type { ReconciliationFinding } from './reconciliation.types.js';

const PAGE_EVENTS = 1_000;
/** Attempts of the history that the records do not have. A file of another day or processor has no record of any. */
const UNRECORDED_MAX = 100_000;

/** The attempts of a time that the records do not have, although the history has their outcome. */
export class UnrecordedOutcomes {
  /** Requests in the time of the file that the records do not have, by key, until their outcome. */
  private readonly requested = new Map<string, Request>();
  outcomes = 0;

  /**
   * @param isRecorded whether the records have the key
   * @param processor the configured name of the processor that made the records
   */
  constructor(
    private readonly range: Pick<ProcessorRecords, 'from' | 'to'>,
    private readonly isRecorded: (key: string) => boolean,
    private readonly processor: string,
  ) {}

  /**
   * Reads the history up to its end. Compares an attempt only if its request and its outcome are in the time of the file: then
   * the processor executed it in that time. Holds one page and the requests without a record.
   */
  async *find(
    store: EventStore,
    onProgress: (events: number) => void,
    signal?: AbortSignal,
  ): AsyncGenerator<ReconciliationFinding> {
    let after: Position | undefined;
    for (let events = 0; ;) {
      signal?.throwIfAborted();
      const options = {
        categories: [PAYMENT_CATEGORY],
        limit: PAGE_EVENTS,
        ...(after !== undefined && { after }),
      };
      const page = await store.readAll(options);
      for (const event of page.events) {
        const finding = this.take(event);
        if (finding) yield finding;
      }
      events += page.events.length;
      onProgress(events);
      if (page.end || page.next === undefined) return;
      after = page.next;
    }
  }

  private take(recorded: RecordedEvent): ReconciliationFinding | undefined {
    const { realTime, merchantId } = eventMetadata(recorded);
    const at = Date.parse(realTime);
    if (!(at >= this.range.from && at < this.range.to)) return undefined;
    const event = fromRecorded(paymentCodec, recorded);
    // What was brought in after a restore was requested earlier than its event says.
    if (event.type === 'TryRequested' && Date.parse(event.data.sendBefore) >= this.range.from)
      this.takeRequest(event);
    const outcome = outcomeOf(event);
    if (!outcome) return undefined;
    const request = this.requested.get(outcome.key);
    if (outcome.isFinal) this.requested.delete(outcome.key);
    this.outcomes += 1;
    if (!request || outcome.amount === 0) return undefined;
    const { amount, executedAs: operation } = request;
    const history = { outcome: 'approved', amount: outcome.amount };
    return {
      kind: 'MissingAtProcessor',
      key: outcome.key,
      operation,
      merchantId,
      amount,
      at: realTime,
      history,
    };
  }

  private takeRequest({ data }: Extract<PaymentEvent, { type: 'TryRequested' }>): void {
    const { operationId, try: number, executedAs, amount, processor } = data;
    const key = `${operationId}.${number}`;
    if (processor !== this.processor || this.isRecorded(key)) return;
    if (this.requested.size >= UNRECORDED_MAX) {
      throw new Error(
        `More than ${UNRECORDED_MAX} attempts of this time are not in the file: is it the file of this processor and day?`,
      );
    }
    this.requested.set(key, { executedAs, amount });
  }
}

interface Request {
  readonly executedAs: string;
  readonly amount: number;
}

interface Outcome {
  readonly key: string;
  /** Cents; 0: nothing was executed. */
  readonly amount: number;
  readonly isFinal: boolean;
}

/** A sale is `Authorized` and `Captured`: the second one ends it. */
function outcomeOf({ type, data }: PaymentEvent): Outcome | undefined {
  switch (type) {
    case 'Authorized':
    case 'Captured':
    case 'Refunded':
    case 'Voided':
    case 'Reversed':
    case 'LateApprovalFound':
      return { key: `${data.operationId}.${data.try}`, amount: data.amount, isFinal: true };
    case 'Declined':
    case 'Cancelled':
    case 'NotExecuted':
    case 'NotSent':
    case 'TryFailed':
      return { key: `${data.operationId}.${data.try}`, amount: 0, isFinal: type !== 'NotExecuted' };
    default:
      return undefined;
  }
}
