import type { PaymentMethod } from '@tillstream/domain';
import type { FormResult, FormSubmission, OpenedForm } from '../hosted-forms/hosted-form.types.js';
import { SessionIds } from '../hosted-forms/session-ids.js';
import type { OperationResult } from '../requests/request.types.js';
import type { TokenResult } from '../stored-cards/stored-card.types.js';
import { requireOperationId, type PaymentsTestSetup } from './payments.setup.js';

export const APPROVED = '4242424242424242';
export const DECLINED = '4000000000000002';
export const BILLING = {
  name: 'Ann Maple',
  address: '1 Main Street',
  city: 'Boston',
  state: 'MA',
  countryCode: 'US',
  zipCode: '02110',
};

const operator = { type: 'Operator', name: 'tester' } as const;

/** The hosted forms of a merchant, on a `PaymentsTestSetup`. */
export class FormsTestSetup {
  private constructor(
    readonly setup: PaymentsTestSetup,
    readonly method: PaymentMethod,
  ) {}

  static async of(setup: PaymentsTestSetup): Promise<FormsTestSetup> {
    const method = await setup.useCases.provisioning.addPaymentMethod(operator, setup.merchant.id, {
      type: 'Virtual',
      currency: 'USD',
      description: 'Card form',
      isDefault: true,
      allowedOrigins: ['https://shop.example'],
    });
    const forms = new FormsTestSetup(setup, method);
    await forms.readMerchant();
    return forms;
  }

  /** The merchant as it is now; its cached state expires. */
  async readMerchant(): Promise<void> {
    const { setup } = this;
    setup.clock.monotonic += 3_000;
    setup.merchant = (await setup.useCases.authentication.readMerchant(setup.merchant.id)) ?? setup.merchant;
  }

  sale(amount: number, more: object = {}): Promise<OperationResult> {
    return this.setup.useCases.payments.virtualSale(this.setup.context(), { amount, ...more });
  }

  token(more: object = {}): Promise<TokenResult> {
    return this.setup.useCases.storedCards.storeThroughForm(this.setup.context(), more);
  }

  /** The session of a form that was just opened. */
  sessionOf(result: OperationResult | TokenResult): string {
    const operationId = requireOperationId(result) as `trx_${string}`;
    return new SessionIds(() => [this.setup.sessionKey]).create(operationId);
  }

  submit(sessionId: string, number = APPROVED, more: { key?: string } & Partial<FormSubmission> = {}) {
    const { key, ...rest } = more;
    const submission = {
      card: { number, expDate: '1234', cvv: '123' },
      billingContact: BILLING,
      ...rest,
    };
    const call = { traceId: 'b'.repeat(32), ...(key !== undefined && { key }) };
    return this.setup.useCases.forms.submit(sessionId, submission, call);
  }

  cancel(sessionId: string): Promise<FormResult> {
    return this.setup.useCases.forms.cancel(sessionId, { traceId: 'b'.repeat(32) });
  }

  /** Moves both clocks past the lifetime of a form. */
  passLifetime(): void {
    this.setup.clock.pass(this.setup.timings.formLifetime + 1);
  }
}

/** The status of the operation that a form is about. */
export function statusOf({ subject }: OpenedForm): string {
  const { operations } = subject.kind === 'Payment' ? subject.payment : subject.token;
  return operations.find(({ id }) => id === subject.operationId)?.progress.status ?? 'None';
}

export function statusAfter(result: FormResult): string {
  return result.kind === 'Answered' ? statusOf(result.opened) : result.kind;
}
