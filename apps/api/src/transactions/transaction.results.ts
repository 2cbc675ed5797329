import { Inject, Injectable } from '@nestjs/common';
import type { TransactionResult } from '@tillstream/contracts';
import type { OperationId, Payment } from '@tillstream/domain';
import type { StoredCards, TokenDetails, TokenResult } from '@tillstream/payments';
import type { Log } from '@tillstream/platform';
import {
  tokenOperationResult,
  transactionResult,
  withTokenDetails,
  type PresentedResult,
} from '@tillstream/presentation';
import { errorMessage } from '@tillstream/runtime';
import { LOG, STORED_CARDS } from '../api.parts.js';
import { FormLinks } from '../hosted-form/form.links.js';
import type { AnsweredResult } from './operation.errors.js';

interface PaymentOperation {
  readonly payment: Payment;
  readonly operationId: OperationId;
}
type TokenOperation = Omit<Extract<TokenResult, { kind: 'Answered' }>, 'kind'>;

/*
 * Transactions as their merchant sees them, with the facts of their tokens. The same state has the same bytes in the
 * response to the operation, in a single read and in a list.
 */

/** The responses to operations. */
@Injectable()
export class TransactionResults {
  constructor(
    @Inject(STORED_CARDS) private readonly storedCards: StoredCards,
    @Inject(LOG) private readonly log: Log,
    private readonly links: FormLinks,
  ) {}

  /** The money's outcome is shown even if the facts of the token can't be read now. */
  async answered(result: AnsweredResult): Promise<TransactionResult> {
    if ('token' in result) return this.links.linked(tokenResult(result));
    const facts = result.facts ?? (await this.storedCards.detailsOf(result.payment).catch(this.logged));
    return this.links.linked(paymentResult(result, facts));
  }

  private readonly logged = (error: unknown): undefined => {
    this.log.error('token-facts-not-found', {
      error: errorMessage(error),
    });
    return undefined;
  };
}

export function paymentResult(
  { payment, operationId }: PaymentOperation,
  facts: TokenDetails | undefined,
): PresentedResult {
  const result = transactionResult(payment, operationId);
  return facts ? withTokenDetails(result, facts) : result;
}

export function tokenResult({ token, operationId, facts }: TokenOperation): PresentedResult {
  return withTokenDetails(tokenOperationResult(token, operationId), facts);
}
