import type { PresentedResult } from '@tillstream/presentation';
import { isGeneratedReferenceId, type Channel } from '@tillstream/domain';
import { transactionJson } from '@tillstream/presentation';
import type { SealedPersonal } from '../../read-models.types.js';
import type { SqlValue, TableRow } from '../table.shape.js';
import { NO_AMOUNT, NO_NUMBER, NO_TEXT, sealedPersonalJson } from '../column.values.js';

interface TransactionFacts {
  readonly merchantId: string;
  readonly revision: number;
  /** Public, without personal data. */
  readonly result: PresentedResult;
  /** For a capture, refund or void: that of the original (`docs/spec/lists.md#filters`). */
  readonly paymentMethodId: string;
  readonly givenReferenceId: string | undefined;
  readonly channel: Channel;
  readonly tokenId: string | undefined;
  readonly personal: SealedPersonal | undefined;
  readonly batching?: Batching;
}

/** Columns that only operations on payments fill. Amounts are signed cents. */
export const NO_BATCHING = {
  /** When the oldest unbatched item moved (ms since 1970), and the sum of the unbatched items. */
  unbatched_at: null,
  unbatched_amount: null,
  /** The part of the operation itself that a batch has taken. */
  batched_amount: null,
  /** The newest batch that has taken a bank return or chargeback of the operation, and those that it has taken. */
  return_batch_id: null,
  returned_count: null,
  returned_amount: null,
};
export type Batching = Readonly<Record<keyof typeof NO_BATCHING, SqlValue>>;

export function transactionRow(facts: TransactionFacts): TableRow {
  const { result, givenReferenceId: given, personal } = facts;
  const outcome = result.transactionResponses[0];
  return {
    id: result.id,
    revision: facts.revision,
    merchant_id: facts.merchantId,
    type: result.type,
    status: result.status,
    response_code: outcome?.responseCode ?? NO_NUMBER,
    card_type: outcome?.cardType ?? NO_TEXT,
    currency: result.currency,
    created_at: Date.parse(result.createdAt),
    updated_at: Date.parse(result.updatedAt),
    amount: result.amount ?? NO_AMOUNT,
    // A generated reference id contains the operation's id, and is found by that.
    reference_id: given === undefined || isGeneratedReferenceId(given) ? null : given,
    original_id: orNull(result.originalTransactionId),
    invoice_number: orNull(result.invoiceNumber),
    order_number: orNull(result.orderNumber),
    settlement_id: orNull(result.settlementId),
    batch_id: orNull(result.batchId),
    account_holder_id: orNull(result.accountHolderId),
    payment_method_id: facts.paymentMethodId,
    body: transactionJson(result),
    channel: facts.channel,
    token_id: orNull(facts.tokenId),
    personal: personal ? sealedPersonalJson(personal) : null,
    ...(facts.batching ?? NO_BATCHING),
  };
}

const orNull = (value: string | undefined): string | null => value ?? null;
