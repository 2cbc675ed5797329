import { Inject, Injectable } from '@nestjs/common';
import type { TransactionResult } from '@tillstream/contracts';
import { parseOperationId, type OperationId, type Payment, type TokenPersonal } from '@tillstream/domain';
import type { Payments, StoredCards, TokenDetails, TokenResult } from '@tillstream/payments';
import type { Log } from '@tillstream/platform';
import {
  tokenOperationResult,
  transactionResult,
  withTokenDetails,
  type PresentedResult,
} from '@tillstream/presentation';
import type {
  List,
  ListRequest,
  ReadModelQueries,
  TransactionFilters,
  TransactionItem,
  TransactionSort,
} from '@tillstream/read-models';
import { errorMessage } from '@tillstream/runtime';
import type { Vault } from '@tillstream/vault';
import { LISTS, LOG, PAYMENTS, STORED_CARDS, VAULT } from '../api.parts.js';
import { openedPersonal, showable, logVaultFailure } from './personal-data.js';
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

@Injectable()
export class TransactionLists {
  constructor(
    @Inject(LISTS) private readonly lists: ReadModelQueries,
    @Inject(VAULT) private readonly vault: Pick<Vault, 'open'>,
    @Inject(LOG) private readonly log: Log,
    private readonly links: FormLinks,
  ) {}

  /** The items are JSON texts of results. */
  async list(request: ListRequest<TransactionFilters, TransactionSort>): Promise<List<string>> {
    const page = await this.lists.transactions.list(request);
    return { ...page, items: await this.rows(page.items) };
  }

  /** JSON texts. Only those with a token are parsed and written again; their personal data is opened in one call. */
  private async rows(items: readonly TransactionItem[]): Promise<readonly string[]> {
    const tokenIds = [...new Set(items.flatMap(({ tokenId }) => (tokenId === undefined ? [] : [tokenId])))];
    if (tokenIds.length === 0) return items.map(({ body }) => this.links.linkedText(body));
    const [listed, personal] = await Promise.all([
      this.lists.tokens.facts(tokenIds),
      openedPersonal<TokenPersonal>(this.vault, items, logVaultFailure(this.log)),
    ]);
    return items.map(({ body, tokenId }, index) => {
      if (tokenId === undefined) return this.links.linkedText(body);
      const { dateDeleted, channel } = listed.get(tokenId) ?? {};
      const facts: TokenDetails = {
        id: tokenId,
        ...showable(personal[index], channel),
        ...(dateDeleted !== undefined && { dateDeleted }),
      };
      return this.links.linkedText(
        JSON.stringify(withTokenDetails(JSON.parse(body) as PresentedResult, facts)),
      );
    });
  }
}

/** Finds one transaction by its id, from its stream. */
@Injectable()
export class TransactionLookup {
  constructor(
    @Inject(PAYMENTS) private readonly payments: Payments,
    @Inject(STORED_CARDS) private readonly storedCards: StoredCards,
    private readonly links: FormLinks,
  ) {}

  /** Undefined: unknown, or another merchant's. */
  async find(merchantId: string, transactionId: string): Promise<TransactionResult | undefined> {
    const ofToken = parseOperationId(transactionId)?.category === 'token';
    const found = await (ofToken ? this.storedCards : this.payments).find(merchantId, transactionId);
    if (!found) return undefined;
    if ('token' in found) return this.links.linked(tokenResult(found));
    return this.links.linked(paymentResult(found, await this.storedCards.detailsOf(found.payment)));
  }
}

function paymentResult(
  { payment, operationId }: PaymentOperation,
  facts: TokenDetails | undefined,
): PresentedResult {
  const result = transactionResult(payment, operationId);
  return facts ? withTokenDetails(result, facts) : result;
}

function tokenResult({ token, operationId, facts }: TokenOperation): PresentedResult {
  return withTokenDetails(tokenOperationResult(token, operationId), facts);
}
