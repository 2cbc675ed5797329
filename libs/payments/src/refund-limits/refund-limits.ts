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
  /** RFC 3339. The refund counts for this instant's day in the merchant's time zone. */
  readonly at: string;
}

/** Daily limits of unreferenced refunds, per merchant and currency. A refund is reserved before it is requested. */
export class RefundLimits {
  constructor(
    private readonly store: EventStore,
    private readonly clock: Clock,
  ) {}

  /** Durable when it resolves. Concurrent reservations are decided one after the other, so none exceeds the limit. */
  async reserve(
    merchant: Merchant,
    refund: ReservedRefund,
    cause: Cause,
  ): Promise<RefundLimitRejection | undefined> {
    const limit = merchant.unreferencedRefunds.dailyLimit;
    const { operationId, amount, at } = refund;
    // Each event has the total. The last event is enough, because a reservation's operation id is new.
    const decision = await this.change(merchant, refund, cause, 1, (state) =>
      reserveRefund(state, { operationId, amount, at, limit }),
    );
    return decision.kind === 'Rejected' ? decision.rejection : undefined;
  }

  /** Call it only if history says that the refund did not happen. A second call has no effect. */
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
      decisionsMax: Number.POSITIVE_INFINITY,
      ...(tailEvents !== undefined && { tailEvents }),
      decide: (history) => {
        const decision = decide(
          foldRefundLimit(history.map((recorded) => fromRecorded(refundLimitCodec, recorded))),
        );
        const events = decision.kind === 'Accepted' ? decision.events : [];
        return { events: toNewEvents(refundLimitCodec, events, cause, this.clock), value: decision };
      },
    });
    if (result.kind === 'Conflict') throw new Error('the change of a refund limit was not written');
    return result.value;
  }
}

/** `2026-11-21`, in the merchant's time zone. */
export function localDay(at: string, timeZone: string): string {
  return new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short' }).format(new Date(at));
}
