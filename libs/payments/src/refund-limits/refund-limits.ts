import {
  foldRefundLimit,
  refundLimitCodec,
  refundLimitStream,
  releaseRefund,
  reserveRefund,
  type Cents,
  type Currency,
  type Decision,
  type Merchant,
  type OperationId,
  type RefundLimitEvent,
  type RefundLimitRejection,
  type RefundLimitState,
} from '@tillstream/domain';
import { transact, type EventStore } from '@tillstream/event-store';
import { iso, type Clock } from '../ports/clock.port.js';
import { fromRecorded, toNewEvents, type Cause } from '../stream-repository/event-metadata.js';

export interface ReservedRefund {
  readonly operationId: OperationId;
  readonly amount: Cents;
  readonly currency: Currency;
  /** RFC 3339: it counts for this instant's day in the merchant's time zone. */
  readonly at: string;
}

/** Refunds without an original, counted per merchant, currency and day before any of them is requested. */
export class RefundLimits {
  constructor(
    private readonly store: EventStore,
    private readonly clock: Clock,
  ) {}

  /** Durable when it resolves. Racing reservations wait for each other: none is let through by mistake. */
  async reserve(
    merchant: Merchant,
    refund: ReservedRefund,
    cause: Cause,
  ): Promise<RefundLimitRejection | undefined> {
    const limit = merchant.unreferencedRefunds.dailyLimit;
    const { operationId, amount, at } = refund;
    // The total is in each event: the last one is enough, since a reservation's operation id is new.
    const decision = await this.change(merchant, refund, cause, 1, (state) =>
      reserveRefund(state, { operationId, amount, at, limit }),
    );
    return decision.kind === 'Rejected' ? decision.rejection : undefined;
  }

  /** Only where the refund durably did not happen. Releasing twice is harmless. */
  async release(merchant: Merchant, refund: ReservedRefund, cause: Cause): Promise<void> {
    const { operationId, amount } = refund;
    const at = iso(this.clock.now());
    await this.change(merchant, refund, cause, undefined, (state) =>
      releaseRefund(state, { operationId, amount, at }),
    );
  }

  private async change(
    merchant: Merchant,
    refund: ReservedRefund,
    cause: Cause,
    tailEvents: number | undefined,
    decide: (state: RefundLimitState) => Decision<RefundLimitEvent, RefundLimitRejection>,
  ): Promise<Decision<RefundLimitEvent, RefundLimitRejection>> {
    const result = await transact(this.store, {
      stream: refundLimitStream(merchant.id, refund.currency, localDay(refund.at, merchant.timeZone)),
      attempts: Number.POSITIVE_INFINITY,
      ...(tailEvents !== undefined && { tailEvents }),
      decide: (history) => {
        const decision = decide(
          foldRefundLimit(history.map((recorded) => fromRecorded(refundLimitCodec, recorded))),
        );
        const events = decision.kind === 'Accepted' ? decision.events : [];
        return { events: toNewEvents(refundLimitCodec, events, cause, this.clock), value: decision };
      },
    });
    if (result.kind === 'Conflict') throw new Error('a limit is decided until it is written');
    return result.value;
  }
}

/** `2026-11-21`, in the merchant's time zone. */
export function localDay(at: string, timeZone: string): string {
  return new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short' }).format(new Date(at));
}
