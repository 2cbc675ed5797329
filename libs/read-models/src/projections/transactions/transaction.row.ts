import type { TransactionResult } from '@tillstream/contracts';
import { isGeneratedReferenceId, type Channel } from '@tillstream/domain';
import { transactionJson } from '@tillstream/presentation';
import type { SealedPersonal } from '../../read-models.types.js';
import type { TableRow } from '../table.shape.js';
import { NO_AMOUNT, NO_NUMBER, NO_TEXT } from '../column.values.js';
import { sealedPersonalJson } from '../sealed-personal.json.js';

export interface TransactionFacts {
  readonly merchantId: string;
  readonly revision: number;
  /** Public, without personal data. */
  readonly result: TransactionResult;
  /** For a capture, refund or void: that of the original (`docs/spec/lists.md#filters`). */
  readonly paymentMethodId: string;
  readonly givenReferenceId: string | undefined;
  readonly channel: Channel;
  readonly tokenId?: string;
  readonly personal: SealedPersonal | undefined;
  /** Only of payments. */
  readonly batching?: Batching;
}

/** Amounts are signed cents. */
export interface Batching {
  /** When the oldest unbatched item moved (ms since 1970), and the sum of the unbatched items. */
  readonly unbatchedAt?: number;
  readonly unbatchedAmount?: number;
  /** The part of the operation itself that a batch has taken. */
  readonly batchedAmount?: number;
  /** The operation's bank returns in the newest batch that has taken one of them. */
  readonly returned?: { readonly batchId: string; readonly count: number; readonly amount: number };
}

export function transactionRow(facts: TransactionFacts): TableRow {
  const { merchantId, revision, result, paymentMethodId, givenReferenceId, channel, tokenId, personal } =
    facts;
  const { unbatchedAt, unbatchedAmount, batchedAmount, returned } = facts.batching ?? {};
  const outcome = result.transactionResponses[0];
  return {
    id: result.id,
    revision,
    merchant_id: merchantId,
    type: result.type,
    status: result.status,
    response_code: outcome?.responseCode ?? NO_NUMBER,
    card_type: outcome?.cardType ?? NO_TEXT,
    currency: result.currency,
    created_at: Date.parse(result.createdAt),
    updated_at: Date.parse(result.updatedAt),
    amount: result.amount ?? NO_AMOUNT,
    // A generated reference id contains the operation's id, and is found by that.
    reference_id:
      givenReferenceId === undefined || isGeneratedReferenceId(givenReferenceId) ? null : givenReferenceId,
    original_id: result.originalTransactionId ?? null,
    invoice_number: result.invoiceNumber ?? null,
    order_number: result.orderNumber ?? null,
    settlement_id: result.settlementId ?? null,
    batch_id: result.batchId ?? null,
    account_holder_id: result.accountHolderId ?? null,
    payment_method_id: paymentMethodId,
    return_batch_id: returned?.batchId ?? null,
    body: transactionJson(result),
    channel,
    token_id: tokenId ?? null,
    personal: personal ? sealedPersonalJson(personal) : null,
    unbatched_at: unbatchedAt ?? null,
    unbatched_amount: unbatchedAmount ?? null,
    batched_amount: batchedAmount ?? null,
    returned_count: returned?.count ?? null,
    returned_amount: returned?.amount ?? null,
  };
}
