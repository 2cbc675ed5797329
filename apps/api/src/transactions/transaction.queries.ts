import { Inject, Injectable } from '@nestjs/common';
import type { TransactionResult } from '@tillstream/contracts';
import { parseOperationId } from '@tillstream/domain';
import type { Payments, StoredCards } from '@tillstream/payments';
import { PAYMENTS, STORED_CARDS } from '../api.parts.js';
import { queryOf } from '../use-case.js';
import { TransactionResults } from './transaction.results.js';

@Injectable()
export class TransactionLookup {
  constructor(
    @Inject(PAYMENTS) private readonly payments: Payments,
    @Inject(STORED_CARDS) private readonly storedCards: StoredCards,
    private readonly results: TransactionResults,
  ) {}

  /** Undefined: unknown, or another merchant's. */
  async find(merchantId: string, transactionId: string): Promise<TransactionResult | undefined> {
    const ofToken = parseOperationId(transactionId)?.category === 'token';
    const found = await (ofToken ? this.storedCards : this.payments).find(merchantId, transactionId);
    return found && this.results.one(found);
  }
}

export class FindTransaction extends queryOf(TransactionLookup, 'find') {}
export class ListTransactions extends queryOf(TransactionResults, 'list') {}
export class ReadHistory extends queryOf(PAYMENTS, 'history') {}
