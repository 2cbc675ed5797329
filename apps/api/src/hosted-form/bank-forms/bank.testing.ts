import type { HistoryItem, SandboxClockMoved } from '@tillstream/contracts';
import type { TestApi } from '../../testing/test.api.js';
import { ADDRESS, TestForm } from '../form.testing.js';

/* Bank payments as a customer and the clock of the sandbox make them (`docs/spec/sandbox.md#bank-accounts`). */

export const HOUR = 3_600;
/** Until the bank answers. */
export const ANSWER = 24 * HOUR;
/** From the approval to a return. */
export const RETURN = 72 * HOUR;

export const ACCOUNT = {
  approved: '000123456789',
  declined: '000111111116',
  withoutFunds: '000111111113',
  returned: '000222222227',
  changed: '000333333335',
} as const;

/** Where a bank account is, its form, and how its customer enters it. */
export interface BankKind {
  readonly name: 'ACH' | 'EFT';
  readonly form: 'ACH form' | 'EFT form';
  readonly currency: 'USD' | 'CAD';
  readonly accountType: 'checking' | undefined;
  readonly entered: (accountNumber?: string, more?: object) => { readonly bankAccount: object };
}

const NAME = 'Ann Maple';

export const ACH: BankKind = {
  name: 'ACH',
  form: 'ACH form',
  currency: 'USD',
  accountType: 'checking',
  entered: (accountNumber = ACCOUNT.approved, more = {}) => ({
    bankAccount: { routingNumber: '110000000', accountNumber, accountType: 'Checking', name: NAME, ...more },
    billingContact: ADDRESS,
  }),
};

export const EFT: BankKind = {
  name: 'EFT',
  form: 'EFT form',
  currency: 'CAD',
  accountType: undefined,
  entered: (accountNumber = ACCOUNT.approved, more = {}) => ({
    bankAccount: { institutionNumber: '000', transitNumber: '11000', accountNumber, name: NAME, ...more },
    billingContact: ADDRESS,
  }),
};

export function openBankForm(
  api: TestApi,
  { form }: Pick<BankKind, 'form'>,
  body: object = {},
  name = 'virtual-sale',
): Promise<TestForm> {
  return TestForm.open(api, name, { paymentMethodId: api.method(form).id, ...body });
}

/** A sale whose form was submitted with this account. */
export async function bankSale(
  api: TestApi,
  kind: BankKind,
  accountNumber: string = ACCOUNT.approved,
  body: object = {},
): Promise<string> {
  const form = await openBankForm(api, kind, body);
  await form.submitted(kind.entered(accountNumber));
  return form.id;
}

/** The token of an ACH account. */
export async function bankToken(
  api: TestApi,
  accountNumber: string = ACCOUNT.approved,
  body: object = {},
): Promise<string> {
  const form = await openBankForm(api, ACH, body, 'token');
  await form.submitted(ACH.entered(accountNumber));
  return (await form.look()).paymentMethod.id;
}

/** Moves the clock, and waits until everything that fell due is done. */
export async function pass(api: TestApi, seconds: number): Promise<SandboxClockMoved> {
  const body = { advanceSeconds: seconds };
  const { status, text } = await api.call('POST', '/admin/v1/sandbox/clock', { body });
  if (status !== 200) throw new Error(text);
  const moved = JSON.parse(text) as SandboxClockMoved;
  if (moved.pending > 0) throw new Error(`${moved.pending} are still due`);
  return moved;
}

export async function historyOf(api: Pick<TestApi, 'list'>, id: string): Promise<readonly HistoryItem[]> {
  return (await api.list<HistoryItem>(`/v1/transactions/${id}/events?limit=100`)).data;
}

/** How often each type of event is in the history of a transaction, for the types that are asked for. */
export async function timesOf<Type extends string>(
  api: Pick<TestApi, 'list'>,
  id: string,
  ...types: readonly Type[]
): Promise<Record<Type, number>> {
  const history = await historyOf(api, id);
  const times = types.map((type) => [type, history.filter((item) => item.type === type).length]);
  return Object.fromEntries(times) as Record<Type, number>;
}
