import type { OperationId } from '@tillstream/domain';
import { ACCOUNTS } from './journal.entry.js';
import type { MoneyEvent } from './money.events.js';
import { bookEvent, type PaymentBook } from './payment.book.js';
import { expectedItems, openOperations, paymentSums } from './payment.items.js';
import { paymentEntries } from './payment.journal.js';
import { movementOf } from './processor.movements.js';
import { TrialBalance, UnbalancedEntry } from './trial.balance.js';

const at = '2026-03-06T15:00:00.000Z';
const OWNER = { merchantId: 'mer_1', currency: 'USD' } as const;
const trx = (number: number): OperationId => `trx_01JQ0000000000000000001P0${number}`;

let book: PaymentBook | undefined;
let trial: TrialBalance;
let movements: string[];
let place: number;

beforeEach(() => {
  [book, trial, movements, place] = [undefined, new TrialBalance(), [], 0];
});

function given(type: MoneyEvent['type'], number: number, more: Partial<MoneyEvent> = {}): void {
  const event = { type, at, operationId: trx(number), place: ++place, ...more };
  for (const entry of paymentEntries(book, event)) trial.post(entry);
  const moved = movementOf(book, event);
  if (moved) movements.push(`${moved.kind} ${moved.amount}`);
  book = bookEvent(book, event);
}

/** The balances that are not 0. */
function balances(): Partial<Record<string, number>> {
  const nonZero = ACCOUNTS.map((account) => [account, trial.balance(OWNER, account)] as const);
  return Object.fromEntries(nonZero.filter(([, amount]) => amount !== 0));
}

function requested(type: MoneyEvent['type'], number: number, amount: number, more: Partial<MoneyEvent> = {}) {
  const opening = number === 0 && { ...OWNER, channel: 'CardPresent' as const };
  const original = number > 0 && { originalOperationId: trx(0) };
  given(type, number, { amount, ...opening, ...original, ...more });
  const executedAs = type === 'RefundRequested' && { executedAs: more.executedAs ?? ('Refund' as const) };
  given('TryRequested', number, { try: 1, amount, processor: 'sandbox', ...executedAs });
}
const approved = (type: MoneyEvent['type'], number: number, amount: number, originalNumber = 0): void =>
  given(type, number, { try: 1, amount, originalOperationId: trx(originalNumber) });

function sale(amount: number): void {
  requested('SaleRequested', 0, amount);
  approved('Authorized', 0, amount);
  approved('Captured', 0, amount);
}

describe('the journal of a payment', () => {
  it('of a sale has what the processor owes, and what waits for a batch', () => {
    sale(1_000);
    expect(balances()).toEqual({ Receivable: 1_000, Captured: -1_000 });
    expect(movements).toEqual(['Captured 1000']);
  });

  it('owes the merchant what a batch took, after a void', () => {
    sale(1_000);
    requested('VoidRequested', 1, 300);
    approved('Voided', 1, 300);
    given('Batched', 0, { batchId: 'bat_1', amount: 700 });
    expect(balances()).toEqual({ Receivable: 700, Payable: -700 });
    expect(movements).toEqual(['Captured 1000', 'Voided 300']);
  });

  it('holds an authorization until it is captured, voided or reversed', () => {
    requested('AuthorizationRequested', 0, 1_000);
    approved('Authorized', 0, 1_000);
    expect(balances()).toEqual({ Authorized: 1_000, IssuerHolds: -1_000 });
    requested('CaptureRequested', 1, 600);
    approved('Captured', 1, 600);
    requested('ReversalRequested', 2, 400, { cause: 'AuthorizationExpired' });
    approved('Reversed', 2, 400);
    expect(balances()).toEqual({ Receivable: 600, Captured: -600 });
    expect(movements).toEqual(['Authorized 1000', 'Captured 600', 'Released 400']);
  });

  it('takes a return and a chargeback back from the merchant when a batch took them', () => {
    sale(1_000);
    given('Batched', 0, { batchId: 'bat_1', amount: 1_000 });
    given('BankReturned', 0, { returnId: 'ret_1', amount: 1_000 });
    given('ChargebackReceived', 0, { chargebackId: 'cbk_1', amount: 200 });
    expect(balances()).toEqual({ Receivable: -200, Returned: 1_000, ChargedBack: 200, Payable: -1_000 });
    given('Batched', 0, { batchId: 'bat_2', returnId: 'ret_1', amount: -1_000 });
    given('Batched', 0, { batchId: 'bat_2', chargebackId: 'cbk_1', amount: -200 });
    expect(balances()).toEqual({ Receivable: -200, Payable: 200 });
    expect(paymentSums(book as PaymentBook)).toMatchObject({ net: -200, returned: 1_000, chargedBack: 200 });
  });

  it('keeps a late execution apart until it is reversed', () => {
    requested('SaleRequested', 0, 1_000);
    given('NotExecuted', 0, { try: 1 });
    given('LateApprovalFound', 0, { try: 1, amount: 1_000 });
    expect(balances()).toEqual({ Receivable: 1_000, LateExecuted: -1_000 });
    requested('ReversalRequested', 1, 1_000, { cause: 'LateApproval', originalTry: 1 });
    approved('Reversed', 1, 1_000);
    expect(balances()).toEqual({});
    expect(movements).toEqual(['Captured 1000', 'Voided 1000']);
    expect(expectedItems(book as PaymentBook)).toEqual([]);
  });

  it('shows a refund that was executed once more after its batch', () => {
    sale(1_000);
    given('Batched', 0, { batchId: 'bat_1', amount: 1_000 });
    requested('RefundRequested', 1, 250);
    approved('Refunded', 1, 250);
    given('Batched', 1, { batchId: 'bat_2', amount: -250 });
    given('LateApprovalFound', 1, { try: 2, amount: 250 });
    const [, refund] = expectedItems(book as PaymentBook);
    expect(refund).toMatchObject({ amount: -500, taken: { amount: -250, expected: -250 } });
    expect(balances()).toEqual({ Receivable: 500, Payable: -750, Refunded: 250 });
  });

  it('counts the second batch that takes an item, and owes it once', () => {
    sale(1_000);
    given('Batched', 0, { batchId: 'bat_1', amount: 1_000 });
    given('Batched', 0, { batchId: 'bat_2', amount: 1_000 });
    expect(balances()).toEqual({ Receivable: 1_000, Payable: -1_000 });
    expect(expectedItems(book as PaymentBook)).toMatchObject([{ taken: { batchId: 'bat_1', repeats: 1 } }]);
  });

  it('knows which operations have no outcome', () => {
    sale(1_000);
    requested('RefundRequested', 1, 100);
    expect(openOperations(book as PaymentBook).map(({ id }) => id)).toEqual([trx(1)]);
    given('Declined', 1, { try: 1 });
    expect(openOperations(book as PaymentBook)).toEqual([]);
  });
});

it('The trial balance refuses an entry that does not balance', () => {
  const postings = [{ account: 'Payable', amount: 1 } as const];
  expect(() => trial.post({ ...OWNER, source: 'trx_1', postings })).toThrow(UnbalancedEntry);
});
