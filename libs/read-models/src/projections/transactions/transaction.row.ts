import type { TransactionResult } from '@tillstream/contracts';
import { isGeneratedReferenceId, type Channel } from '@tillstream/domain';
import { transactionJson } from '@tillstream/presentation';
import type { SealedPersonal } from '../../read-models.types.js';
import type { FlatRow } from '../table.shape.js';
import { NO_AMOUNT, NO_NUMBER, NO_TEXT } from '../column.values.js';
import { sealedPersonalJson } from '../sealed-personal.json.js';

export interface TransactionFacts {
  readonly merchantId: string;
  readonly revision: number;
  /** Public, without personal data. */
  readonly result: TransactionResult;
  /** Of a capture, refund or void: the original's (`docs/spec/lists.md#filters`). */
  readonly paymentMethodId: string;
  readonly givenReferenceId: string | undefined;
  readonly channel: Channel;
  readonly tokenId?: string;
  readonly personal: SealedPersonal | undefined;
  /** Of what moved money. */
  readonly batching?: Batching;
}

/** Amounts are signed cents. */
export interface Batching {
  /** What no batch took: since when the oldest of it waits, ms, and its sum. */
  readonly unbatchedAt?: number;
  readonly unbatchedAmount?: number;
  /** Of the operation itself, once a batch took it. */
  readonly batchedAmount?: number;
  /** Of its bank returns, those that the last of these batches took. */
  readonly returned?: { readonly batchId: string; readonly count: number; readonly amount: number };
}

/** In the order of the columns of `transactions`. */
export function transactionRow(facts: TransactionFacts): FlatRow {
  const { merchantId, revision, result, paymentMethodId, givenReferenceId, channel, tokenId, personal } =
    facts;
  const { unbatchedAt, unbatchedAmount, batchedAmount, returned } = facts.batching ?? {};
  const outcome = result.transactionResponses[0];
  return [
    result.id,
    revision,
    merchantId,
    result.type,
    result.status,
    outcome?.responseCode ?? NO_NUMBER,
    outcome?.cardType ?? NO_TEXT,
    result.currency,
    Date.parse(result.createdAt),
    Date.parse(result.updatedAt),
    result.amount ?? NO_AMOUNT,
    // A generated one is found by the id that it has in common with its operation.
    givenReferenceId === undefined || isGeneratedReferenceId(givenReferenceId) ? null : givenReferenceId,
    result.originalTransactionId ?? null,
    result.invoiceNumber ?? null,
    result.orderNumber ?? null,
    result.settlementId ?? null,
    result.batchId ?? null,
    result.accountHolderId ?? null,
    paymentMethodId,
    returned?.batchId ?? null,
    transactionJson(result),
    channel,
    tokenId ?? null,
    personal ? sealedPersonalJson(personal) : null,
    unbatchedAt ?? null,
    unbatchedAmount ?? null,
    batchedAmount ?? null,
    returned?.count ?? null,
    returned?.amount ?? null,
  ];
}
