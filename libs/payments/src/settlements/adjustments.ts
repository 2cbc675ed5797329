import { setTimeout as pause } from 'node:timers/promises';
import type { Adjustment, Currency, Merchant } from '@tillstream/domain';
import { batchIdFor } from '../batches/batch.register.js';
import type { BatchParts, CurrencyNotOffered } from '../batches/batches.js';
import { idForCommand, newCommandId } from '../identifiers.js';
import { iso } from '../ports/clock.port.js';
import type { Actor } from '../requests/request.types.js';

export interface AdjustmentRequest {
  readonly actor: Actor;
  readonly merchantId: string;
  readonly currency: Currency;
  /** Signed cents, not 0. Negative: the merchant pays. */
  readonly amount: number;
  readonly reason: string;
  readonly reference?: string;
  readonly traceId?: string;
  /** A repeat under the same command records nothing. */
  readonly commandId?: string | undefined;
  /** Real time. */
  readonly waitMs: number;
}

export interface RecordedAdjustment {
  readonly kind: 'Recorded';
  readonly batchId: string;
  readonly adjustment: Adjustment;
}

export type AdjustmentResult =
  | RecordedAdjustment
  | CurrencyNotOffered
  /** The batch takes no more, or is being closed for longer than `waitMs`. Nothing was stored. */
  | { readonly kind: 'TooManyAdjustments' | 'BatchIsClosing' };

const POLL_MS = 50;
/** Longer than a repeat of a command can come after it: `Idempotency-Key`s are kept for 24 h. */
const REPEATED_WITHIN_MS = 2 * 86_400_000;

/** Records adjustments by operators in the open batch (`docs/spec/settlement.md#adjustments`). */
export class Adjustments {
  constructor(private readonly parts: BatchParts) {}

  /** Undefined if there is no such merchant. */
  async record(request: AdjustmentRequest): Promise<AdjustmentResult | undefined> {
    const { authentication, register, clock } = this.parts;
    const { merchantId, currency, actor, traceId, commandId = newCommandId() } = request;
    const merchant = await authentication.readMerchant(merchantId);
    if (!merchant) return undefined;
    const { currencies } = merchant;
    if (!currencies.includes(currency) && !(await register.exists(merchantId, currency)))
      return { kind: 'CurrencyNotOffered', offered: currencies };
    const adjustment = adjustmentOf(request, idForCommand('adj_', commandId), iso(clock.now()));
    const recorded = await this.findRecorded(merchant, currency, adjustment.adjustmentId);
    if (recorded) return recorded;
    const by = { merchantId, actor, causationId: commandId, ...(traceId !== undefined && { traceId }) };
    const until = clock.realNow() + request.waitMs;
    for (;;) {
      const current = await register.current(merchant, currency);
      const reason = await register.adjust(current, [adjustment], by);
      if (reason === undefined) return { kind: 'Recorded', batchId: current.id, adjustment };
      if (reason === 'TooManyAdjustments') return { kind: 'TooManyAdjustments' };
      if (clock.realNow() >= until) return { kind: 'BatchIsClosing' };
      await pause(POLL_MS);
    }
  }

  /** A repeat of the command finds it in the current batch, or in one that was closed since. */
  private async findRecorded(
    merchant: Merchant,
    currency: Currency,
    adjustmentId: string,
  ): Promise<RecordedAdjustment | undefined> {
    const { register, clock } = this.parts;
    const { number: last } = await register.current(merchant, currency);
    for (let number = last; number >= 1; number--) {
      const batchId = batchIdFor(merchant.id, currency, number);
      const batch = (await register.load(batchId))?.state;
      const adjustment = batch?.adjustments.find((one) => one.adjustmentId === adjustmentId);
      if (adjustment) return { kind: 'Recorded', batchId, adjustment };
      const closedAt = batch?.status === 'Closed' ? batch.closing?.at : undefined;
      if (closedAt !== undefined && Date.parse(closedAt) < clock.now() - REPEATED_WITHIN_MS) break;
    }
    return undefined;
  }
}

function adjustmentOf(
  { amount, reason, reference }: AdjustmentRequest,
  adjustmentId: string,
  at: string,
): Adjustment {
  return {
    ...{ adjustmentId, kind: 'Manual', at, amount, reason },
    ...(reference !== undefined && { reference }),
  };
}
