import type { SandboxFacts, TransactionResult } from '@tillstream/contracts';
import { ApiClient, describeResponse, transactionIn, type ApiResponse } from '../support/api.client.js';
import { pickOne, randomUpTo } from '../support/concurrency.js';

/** What the simulated bank does with each account (`docs/spec/sandbox.md#bank-accounts`). */
export const ACCOUNTS = {
  '000123456789': { responseCode: 1 },
  '000111111116': { responseCode: 10 },
  '000111111113': { responseCode: 11 },
  '000222222227': { responseCode: 1, isReturned: true },
  '000333333335': { responseCode: 1, isChanged: true },
} as const satisfies Record<string, AccountFate>;

export interface AccountFate {
  readonly responseCode: number;
  readonly isReturned?: true;
  readonly isChanged?: true;
}

type AccountNumber = keyof typeof ACCOUNTS;
/** Tokens are stored of those that pay. */
const PAYING = ['000123456789', '000222222227', '000333333335'] as const;
const NUMBERS = Object.keys(ACCOUNTS) as [AccountNumber, ...AccountNumber[]];
const ADDRESS = {
  ...{ name: 'Ann Maple', address: '1 Main Street', city: 'Boston', state: 'MA' },
  ...{ countryCode: 'US', zipCode: '02110' },
};

/** A sale that was answered as Processing. */
export interface BankSale {
  readonly id: string;
  readonly amount: number;
  readonly fate: AccountFate;
}

interface StoredAccount {
  readonly tokenId: string;
  readonly fate: AccountFate;
}

/** A merchant that sells by bank account, through forms and with stored accounts. */
export class BankClient {
  readonly sales: BankSale[] = [];
  readonly complaints: string[] = [];
  /** Refunds that the service took. */
  refunds = 0;
  private readonly api: ApiClient;
  private readonly formId: string;
  private readonly accounts: StoredAccount[] = [];

  constructor(facts: SandboxFacts) {
    this.api = new ApiClient(facts);
    this.formId = facts.paymentMethods.find(({ type }) => type === 'VirtualAch')?.id ?? '';
  }

  async storeAccounts(origin: string): Promise<void> {
    for (const number of PAYING) {
      const opened = await this.open(origin, '/v1/payment-methods/virtual', {});
      await this.submit(origin, opened, number);
      const stored = await this.read(origin, opened.id);
      this.accounts.push({ tokenId: stored?.paymentMethod.id ?? '', fate: ACCOUNTS[number] });
    }
  }

  /** Through a form or, one time of two, with a stored account. */
  async sell(origin: string): Promise<void> {
    const amount = 2 + randomUpTo(50_000);
    const [first, ...others] = this.accounts;
    if (!first || Math.random() < 0.5) return this.sellByForm(origin, amount);
    const { tokenId, fate } = pickOne([first, ...others]);
    const body = { amount, paymentMethodId: tokenId };
    const sold = await this.transact(origin, '/v1/transactions/token-sale', body);
    if (sold) this.sales.push({ id: sold.id, amount, fate });
  }

  /** A part of a sale, or the whole of it. The service may refuse it: the bank may have taken the money back. */
  async refund(origin: string, { id, amount }: BankSale): Promise<void> {
    const body = { originalTransactionId: id, amount: pickOne([amount, Math.ceil(amount / 3)]) };
    const answer = await this.post(origin, '/v1/transactions/refund', body);
    if (answer?.status === 200) this.refunds++;
    else if (answer && answer.status !== 400 && answer.status !== 409)
      this.complaints.push(`refund of ${id}: ${describeResponse(answer)}`);
  }

  async read(origin: string, id: string): Promise<TransactionResult | undefined> {
    const answer = await this.api.send(origin, 'GET', `/v1/transactions/${id}`);
    return answer && transactionIn(answer);
  }

  private async sellByForm(origin: string, amount: number): Promise<void> {
    const number = pickOne(NUMBERS);
    const form = await this.open(origin, '/v1/transactions/virtual-sale', { amount });
    const answer = await this.submit(origin, form, number);
    if (answer?.status === 200) this.sales.push({ id: form.id, amount, fate: ACCOUNTS[number] });
  }

  private async open(origin: string, path: string, body: object) {
    const opened = await this.transact(origin, path, { ...body, paymentMethodId: this.formId });
    if (!opened?.form) throw new Error('no bank form was opened');
    return { id: opened.id, sessionId: opened.form.sessionId };
  }

  private async submit(origin: string, { sessionId }: { readonly sessionId: string }, accountNumber: string) {
    const account = { routingNumber: '110000000', accountNumber, accountType: 'Checking', name: 'Ann Maple' };
    const body = { bankAccount: account, billingContact: ADDRESS };
    const answer = await this.post(origin, `/pay/${sessionId}/submit`, body);
    if (answer?.status !== 200) this.complaints.push(`a bank form: ${describeResponse(answer)}`);
    return answer;
  }

  private async transact(origin: string, path: string, body: object): Promise<TransactionResult | undefined> {
    const answer = await this.post(origin, path, body);
    const result = answer && transactionIn(answer);
    if (!result) this.complaints.push(`${path}: ${describeResponse(answer)}`);
    return result;
  }

  private post(origin: string, path: string, body: object): Promise<ApiResponse | undefined> {
    return this.api.send(origin, 'POST', path, { body });
  }
}
