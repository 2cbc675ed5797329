import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from '@jest/globals';
import type {
  PaymentMethodListItem,
  SandboxClockMoved,
  SettledTransaction,
  TransactionResult,
} from '@tillstream/contracts';
import { startOfDate } from '@tillstream/domain';
import { openSqliteEventStore } from '@tillstream/event-store-sqlite';
import { openSqliteClockOffset } from '@tillstream/payments-sqlite';
import { ACCOUNT, ACH, EFT, timesOf } from '../../hosted-form/bank-forms/bank.testing.js';
import { entered, TestForm } from '../../hosted-form/form.testing.js';
import { answered } from '../../testing/eventually.js';
import { startTestApi, type TestApi } from '../../testing/test.api.js';
import type { MonthEvent, MonthPart, PricingVersion } from './document.testing.js';

/* The shop of `docs/worked-month.md`: its merchants, and what happens to them, over HTTP. */

export const ZONE = 'America/New_York';

const CARDS: Readonly<Record<string, string>> = {
  VISA: '4242424242424242',
  MASTERCARD: '5555555555554444',
  AMEX: '378282246310005',
  DISCOVER: '6011111111111117',
  INTERAC: '4506440000000009',
};
/** Real time runs on between two events: the bank answers some moments after the minute of the page. */
const BANK_DELAY_MS = 5 * 60_000;

/**
 * A service whose clock shows `time`, before or after the real time. The API moves it forward only, so the first offset is
 * written into the file of the events before the service starts.
 */
export async function startServiceAt(time: string): Promise<TestApi> {
  const dataDir = mkdtempSync(join(tmpdir(), 'tillstream-month-'));
  const file = await openSqliteEventStore({ file: join(dataDir, 'events.db') });
  await openSqliteClockOffset(file, { initialOffset: () => Date.parse(time) - Date.now() });
  await file.close();
  return startTestApi({ DATA_DIR: dataDir });
}

/** Moves the clock, and waits until everything that fell due is done. The contract does not have a clock that is late. */
export async function moveClock(api: TestApi, to: string): Promise<void> {
  const response = await fetch(`${api.running.origin}/admin/v1/sandbox/clock`, {
    method: 'POST',
    headers: { 'x-api-key': api.adminKey, 'content-type': 'application/json' },
    body: JSON.stringify({ to }),
  });
  const text = await response.text();
  if (response.status !== 200) throw new Error(`${to}: ${text}`);
  const { pending } = JSON.parse(text) as SandboxClockMoved;
  if (pending > 0) throw new Error(`at ${to} there is work left: ${text}`);
}

/** A merchant, and what the page calls its payments. */
export class Shop {
  private readonly ids = new Map<string, string>();
  /** The numbers of chargebacks, by the payment that was charged back. */
  private readonly chargebacks = new Map<string, string>();

  private constructor(
    private readonly api: TestApi,
    readonly merchantId: string,
    readonly key: string,
    private readonly methods: readonly PaymentMethodListItem[],
  ) {}

  static async open(api: TestApi, name: string, fundingType: 'Net' | 'Gross'): Promise<Shop> {
    const post = async <Made>(path: string, body: object): Promise<Made> =>
      answered<Made>(await api.call('POST', `/admin/v1/merchants${path}`, { body }));
    const { id } = await post<{ id: string }>('', { name, fundingType, rateLimitPerSecond: 0 });
    const { key } = await post<{ key: string }>(`/${id}/api-keys`, { name: 'Till' });
    const methods = [
      await post<PaymentMethodListItem>(`/${id}/terminals`, { currency: 'USD' }),
      await post<PaymentMethodListItem>(`/${id}/terminals`, { currency: 'CAD' }),
      await post<PaymentMethodListItem>(`/${id}/forms`, { type: 'Virtual', currency: 'USD' }),
      await post<PaymentMethodListItem>(`/${id}/forms`, { type: 'VirtualAch', currency: 'USD' }),
      await post<PaymentMethodListItem>(`/${id}/forms`, { type: 'VirtualEft', currency: 'CAD' }),
    ];
    return new Shop(api, id, key, methods);
  }

  /** Submits a version of the prices, and approves it. */
  async price({ validFrom, ...pricing }: PricingVersion): Promise<void> {
    const body = {
      ...pricing,
      name: `Valid from ${validFrom}`,
      validFrom: new Date(startOfDate(validFrom, ZONE)).toISOString(),
    };
    const path = `/admin/v1/merchants/${this.merchantId}/pricing-templates`;
    const { id } = answered<{ id: string }>(await this.api.call('POST', path, { body }));
    answered(await this.api.call('POST', `/admin/v1/pricing-templates/${id}/approve`, { body: {} }));
  }

  /** Does what the page says at its time, and checks the figures of the row. */
  async run(event: MonthEvent, { currency }: Pick<MonthPart, 'currency'>): Promise<void> {
    const { at, what, number, amount } = event;
    if (what.startsWith('The bank ')) {
      await moveClock(this.api, new Date(Date.parse(at) + BANK_DELAY_MS).toISOString());
      return this.checkBank(event);
    }
    await moveClock(this.api, at);
    const result = await this.execute(event, currency);
    if (what.startsWith('Chargeback')) this.chargebacks.set(result.id, number);
    else this.ids.set(number, result.id);
    const [response] = result.transactionResponses;
    const isWaiting = what.startsWith('Payment by');
    expect([number, response?.responseCode, response?.amountApproved]).toEqual([
      number,
      isWaiting ? 57 : 1,
      isWaiting ? 0 : amount,
    ]);
    if (what.startsWith('Sale')) expect(response?.approvedAmountBreakdown?.tip ?? 0).toBe(event.tip);
    if (what.startsWith('Refund')) expect(result.executedAs).toBe('Refund');
  }

  /** What the page calls a settled transaction. */
  numberOf({ transactionId, transactionType }: SettledTransaction): string {
    const chargeback = this.chargebacks.get(transactionId);
    if (transactionType === 'Chargeback' && chargeback !== undefined) return chargeback;
    const found = [...this.ids].find(([, id]) => id === transactionId);
    if (!found) throw new Error(`${transactionId} is not on the page`);
    return transactionType === 'Return' ? `${found[0]}, returned` : found[0];
  }

  private idOf(number: string): string {
    const id = this.ids.get(number);
    if (id === undefined) throw new Error(`${number} is on the page before it happens`);
    return id;
  }

  private method(type: string, currency: 'USD' | 'CAD'): string {
    const found = this.methods.find((one) => one.type === type && one.currency === currency);
    if (!found) throw new Error(`there is no ${type} in ${currency}`);
    return found.id;
  }

  private async execute(event: MonthEvent, currency: 'USD' | 'CAD'): Promise<TransactionResult> {
    const { what, amount } = event;
    if (what === 'Sale at the counter') return this.counter('physical-sale', event, currency);
    if (what === 'Authorization at the counter') return this.counter('physical-auth', event, currency);
    if (what === 'Sale on the card form')
      return this.form('Virtual', entered(CARDS[event.card]), event, currency);
    if (what === 'Payment by ACH')
      return this.form('VirtualAch', ACH.entered(account(event)), event, currency);
    if (what === 'Payment by EFT')
      return this.form('VirtualEft', EFT.entered(account(event)), event, currency);
    const [, verb = '', original = '', extent] =
      /^(Capture|Void|Refund|Chargeback) of (\w+)(?:, (whole|a part))?$/.exec(what) ?? [];
    const originalTransactionId = this.idOf(original);
    if (verb === 'Chargeback') return this.chargeBack(originalTransactionId, amount);
    const part = extent === 'whole' ? {} : { amount };
    const body = { originalTransactionId, ...part };
    return this.api.transaction(verb.toLowerCase(), body, { key: this.key });
  }

  private async counter(
    operation: string,
    { card, amount, tip }: MonthEvent,
    currency: 'USD' | 'CAD',
  ): Promise<TransactionResult> {
    const paymentMethodId = this.method('Physical', currency);
    await this.api.setTerminal(paymentMethodId, { card: CARDS[card] ?? '' });
    const amountBreakdown = { amountGoodsAndServices: amount - tip, tax: 0, cashback: 0, tip };
    return this.api.transaction(operation, { amount, amountBreakdown, paymentMethodId }, { key: this.key });
  }

  private async form(
    type: string,
    submission: object,
    { amount }: MonthEvent,
    currency: 'USD' | 'CAD',
  ): Promise<TransactionResult> {
    const body = { amount, paymentMethodId: this.method(type, currency) };
    const form = await TestForm.open(this.api, 'virtual-sale', body, { key: this.key });
    await form.submitted(submission);
    return this.look(form.id);
  }

  private async chargeBack(transactionId: string, amount: number): Promise<TransactionResult> {
    const path = `/admin/v1/transactions/${transactionId}/chargebacks`;
    const body = { amount, reason: '10.4 Fraud' };
    answered(await this.api.call('POST', path, { body }));
    return this.look(transactionId);
  }

  private async checkBank({ what, amount }: MonthEvent): Promise<void> {
    const [, verb = '', number = ''] = /^The bank (approves|declines|returns) (\w+)$/.exec(what) ?? [];
    const id = this.idOf(number);
    const { status, transactionResponses, amount: requested } = await this.look(id);
    const [response] = transactionResponses;
    const isDeclined = verb === 'declines';
    expect([what, status]).toEqual([what, 'Completed']);
    expect([what, requested, response?.responseCode, response?.amountApproved]).toEqual([
      what,
      amount,
      isDeclined ? 10 : 1,
      isDeclined ? 0 : amount,
    ]);
    const { BankReturned } = await timesOf(this.asMerchant(), id, 'BankReturned');
    expect([what, BankReturned]).toEqual([what, verb === 'returns' ? 1 : 0]);
  }

  private async look(id: string): Promise<TransactionResult> {
    return answered(await this.api.get(`/v1/transactions/${id}`, { key: this.key }));
  }

  /** The lists of this merchant. */
  private asMerchant(): Pick<TestApi, 'list'> {
    const { api, key } = this;
    return { list: <Item>(path: string) => api.list<Item>(path, { key }) };
  }
}

const account = ({ card }: MonthEvent): string =>
  ({ approved: ACCOUNT.approved, declined: ACCOUNT.declined, returned: ACCOUNT.returned })[card] ?? '';
