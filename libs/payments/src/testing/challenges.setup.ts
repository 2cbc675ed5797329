import type { ThreeDsFacts } from '@tillstream/domain';
import type { FormResult } from '../hosted-forms/hosted-form.types.js';
import { FormsTestSetup, statusOf } from './forms.setup.js';
import { PaymentsTestSetup, requireOperationId } from './payments.setup.js';

export const CHALLENGED = '4000000000003220';
export const CHALLENGED_AND_DECLINED = '4000008400001629';
export const FAILED_BY_CODE = '000000';

/** A form with 3-D Secure, and what its customer does. */
export class ChallengesTestSetup {
  private constructor(
    readonly setup: PaymentsTestSetup,
    readonly forms: FormsTestSetup,
    readonly transactionId: string,
    readonly session: string,
  ) {}

  static async open(kind: 'Sale' | 'Token' = 'Sale'): Promise<ChallengesTestSetup> {
    const setup = await PaymentsTestSetup.open();
    const forms = await FormsTestSetup.of(setup);
    const formConfig = { billingInfoCaptureLevel: 'Full', enable3DSecure: true } as const;
    const opened =
      kind === 'Sale' ? await forms.sale(1_000, { formConfig }) : await forms.token({ formConfig });
    return new ChallengesTestSetup(setup, forms, requireOperationId(opened), forms.sessionOf(opened));
  }

  submit(number: string): Promise<FormResult> {
    return this.forms.submit(this.session, number);
  }

  /** The cardholder answers at the bank; the form does not know it yet. */
  answer(code: string, number = 1): void {
    const found = this.setup.sandbox.threeDs.answer(this.challengeId(number), code);
    if (!found) throw new Error('there is no such challenge');
  }

  complete(cvv?: string): Promise<FormResult> {
    const call = { traceId: 'c'.repeat(32), ...(cvv !== undefined && { cvv }) };
    return this.setup.useCases.forms.completeChallenge(this.session, call);
  }

  /** A repeated authentication of the attempt's key returns the id of its challenge. */
  private challengeId(number: number): string {
    const reaction = this.setup.sandbox.threeDs.authenticate({
      ...{
        key: `${this.transactionId}.${number}`,
        cardNumber: CHALLENGED,
        merchantName: '',
        challengeExpiresAt: 0,
      },
      ...{ amount: 0, currency: 'USD' },
    });
    if (reaction.kind !== 'ChallengeRequired') throw new Error('the attempt has no challenge');
    return reaction.challengeId;
  }

  async status(): Promise<string> {
    const found = await this.setup.useCases.forms.find(this.session);
    return found ? statusOf(found) : 'None';
  }

  /** Status, 3-D Secure and CVV result of the last attempt, and what the acquirer charged. */
  async outcome() {
    const operation = await this.setup.operation(this.transactionId);
    const { status } = operation.progress;
    const threeDs: ThreeDsFacts['status'] | undefined = operation.responses[0]?.outcome.threeDs?.status;
    const { cvvResult } = operation.responses[0]?.outcome ?? {};
    return { status, threeDs, cvvResult, charged: this.setup.chargedTotal() };
  }

  /** The card of the attempt, if the vault still has it. */
  keptCard(number = 1): Promise<string | undefined> {
    return this.setup.vault.openCard(`${this.transactionId}.${number}`);
  }

  /** Past the time of a challenge, with what falls due. */
  async abandon(): Promise<void> {
    this.setup.clock.pass(this.setup.timings.challengeLifetime + 1);
    await this.setup.useCases.resolver.runDue(0);
  }

  close(): Promise<void> {
    return this.setup.close();
  }
}
