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
} from '@tillstream/domain';
import { iso } from '../ports/clock.port.js';
import { decideAndAppend, type Cause } from '../stream-repository/event-metadata.js';
import type { Ports } from '../parts.js';

interface ReservedRefund {
  readonly operationId: OperationId;
  readonly amount: Cents;
  readonly currency: Currency;
  /** RFC 3339. The refund counts for this instant's day in the merchant's time zone. */
  readonly at: string;
}

/** Daily limits of unreferenced refunds, per merchant and currency. A refund is reserved before it is requested. */
export class RefundLimits {
  constructor(private readonly ports: Pick<Ports, 'store' | 'clock'>) {}

  /** Durable when it resolves. Concurrent reservations are decided one after the other, so none exceeds the limit. */
  async reserve(
    merchant: Merchant,
    refund: ReservedRefund,
    cause: Cause,
  ): Promise<RefundLimitRejection | undefined> {
    const limit = merchant.unreferencedRefunds.dailyLimit;
    const { operationId, amount, at } = refund;
    // Each event has the total. The last event is enough, because a reservation's operation id is new.
    const change = { ...limitChange(merchant, refund, cause), tailEvents: 1 };
    const decision = await decideAndAppend(this.ports, change, (history) =>
      outcomeOf(reserveRefund(foldRefundLimit(history), { operationId, amount, at, limit })),
    );
    return decision.kind === 'Rejected' ? decision.rejection : undefined;
  }

  /** Call it only if history says that the refund moved no money. A second call has no effect. */
  async release(merchant: Merchant, refund: ReservedRefund, cause: Cause): Promise<void> {
    const { operationId, amount } = refund;
    const at = iso(this.ports.clock.now());
    await decideAndAppend(this.ports, limitChange(merchant, refund, cause), (history) =>
      outcomeOf(releaseRefund(foldRefundLimit(history), { operationId, amount, at })),
    );
  }
}

function limitChange({ id, timeZone }: Merchant, { currency, at }: ReservedRefund, cause: Cause) {
  return { stream: refundLimitStream(id, currency, localDay(at, timeZone)), codec: refundLimitCodec, cause };
}

function outcomeOf(decision: Decision<RefundLimitEvent, RefundLimitRejection>) {
  return { events: decision.kind === 'Accepted' ? decision.events : [], value: decision };
}

/** `2026-11-21`, in the merchant's time zone. */
export function localDay(at: string, timeZone: string): string {
  return new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short' }).format(new Date(at));
}
