import type { OperationId, PaymentMethod } from '@tillstream/domain';
import { bankNotices, embeddedBankMessages, type ProcessorNotice } from '@tillstream/processors';
import { BILLING, FormsTestSetup } from './forms.setup.js';
import { PaymentsTestSetup, requireOperationId } from './payments.setup.js';

const HOUR_MS = 3_600_000;
const operator = { type: 'Operator', name: 'tester' } as const;

/** Payments with bank accounts. The test delivers the messages of the simulated bank itself, in any order. */
export class BankTestSetup {
  /** What the bank has sent so far, oldest first. */
  readonly sent: ProcessorNotice[] = [];

  private constructor(
    readonly setup: PaymentsTestSetup,
    private readonly forms: FormsTestSetup,
    private readonly method: PaymentMethod,
  ) {}

  static async open(): Promise<BankTestSetup> {
    const setup = await PaymentsTestSetup.open();
    const forms = await FormsTestSetup.of(setup);
    const ach = { type: 'VirtualAch', currency: 'USD', isDefault: false } as const;
    const method = await setup.useCases.provisioning.addPaymentMethod(operator, setup.merchant.id, ach);
    await forms.readMerchant();
    return new BankTestSetup(setup, forms, method);
  }

  /** Through a form. */
  async sale(accountNumber: string, amount: number): Promise<OperationId> {
    const { setup, forms, method } = this;
    const opened = await forms.sale(amount, { paymentMethodId: method.id });
    const bankAccount = { routingNumber: '110000000', accountNumber, accountType: 'Checking', name: 'Ann' };
    const submission = {
      bankAccount: { ...bankAccount, accountType: 'Checking' as const },
      billingContact: BILLING,
    };
    await setup.useCases.forms.submit(forms.sessionOf(opened), submission, { traceId: 'b'.repeat(32) });
    return requireOperationId(opened) as OperationId;
  }

  refund(originalTransactionId: OperationId, amount: number) {
    const { setup } = this;
    return setup.useCases.payments.refund(setup.context(), { originalTransactionId, amount });
  }

  /** Moves the service's clock. What the bank sends until then is in `sent`. */
  async pass(hours: number): Promise<void> {
    this.setup.clock.ahead += hours * HOUR_MS;
    const poller = bankNotices(embeddedBankMessages(this.setup.sandbox), {
      processor: 'sandbox',
      everyMs: HOUR_MS,
      report: (reason) => void this.setup.logged.push(reason),
    });
    poller.listen({
      receive: async (_processor, notice) => {
        this.sent.push(notice);
        return 'Stored';
      },
    });
    await poller.deliverDue();
    await poller.stop();
  }

  /** False: the service did not acknowledge it. */
  async deliver(notice: ProcessorNotice): Promise<boolean> {
    try {
      return (await this.setup.useCases.inbox.receive('sandbox', notice)) === 'Stored';
    } catch {
      return false;
    }
  }

  close(): Promise<void> {
    return this.setup.close();
  }
}
