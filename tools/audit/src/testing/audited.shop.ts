import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Merchant, OperationId, PaymentMethod } from '@tillstream/domain';
import {
  createBatches,
  createPayments,
  PricingTemplateRegistry,
  type Actor,
  type Batches,
  type NewPricing,
  type OperationResult,
  type PaymentsUseCases,
} from '@tillstream/payments';
import {
  bankHolidays,
  noLog,
  openAdapters,
  readConfig,
  readModelWriteThrough,
  type Adapters,
} from '@tillstream/platform';

export const operator: Actor = { type: 'Operator', name: 'Olga' };
const till: Actor = { type: 'ApiKey', name: 'till', keyId: 'key_1' };
const HOUR_S = 3_600;
/** The sandbox executes it and never answers. */
export const NO_ANSWER = 920_001;
/** Approved, and the processor's own batch closes at once. */
export const PROCESSOR_CLOSES = 950_001;
/** Declined by the issuer. */
export const DECLINED = 900_005;
const PATIENCE_MS = 60_000;
const BILLING = {
  name: 'Ann Maple',
  address: '1 Main Street',
  city: 'Boston',
  state: 'MA',
  countryCode: 'US',
  zipCode: '02110',
};

export const TEMPLATE: NewPricing = {
  name: 'Retail',
  rules: [
    { feeType: 'Interchange', rateBps: 180, fixedAmount: 10 },
    { feeType: 'Interchange', rateBps: 235, fixedAmount: 10, cardType: 'AMEX' },
    { feeType: 'Scheme', rateBps: 13, fixedAmount: 0 },
    { feeType: 'Markup', rateBps: 25, fixedAmount: 5, channel: 'CardPresent' },
    { feeType: 'Markup', rateBps: 0, fixedAmount: 25, channel: 'Ach' },
  ],
  monthlyFee: 995,
  returnFee: 500,
  chargebackFee: 1_500,
};

/** A merchant with what its payments need. */
export interface Shop {
  merchant: Merchant;
  readonly usd: PaymentMethod;
  readonly cad: PaymentMethod;
  readonly ach: PaymentMethod;
}

/** The service's use cases on real stores in a data directory, without its HTTP server. */
export class AuditedService {
  private constructor(
    readonly directory: string,
    private readonly adapters: Adapters,
    private readonly useCases: PaymentsUseCases,
    readonly batches: Batches,
  ) {}

  /** @param settings besides the defaults, such as another event store */
  static async open(settings: Readonly<Record<string, string>> = {}): Promise<AuditedService> {
    const directory = mkdtempSync(join(tmpdir(), 'tillstream-audited-'));
    const config = readConfig({
      ...settings,
      DATA_DIR: directory,
      PROCESSOR_DEADLINE_MS: '400',
      TERMINAL_DEADLINE_MS: '1500',
    });
    const adapters = await openAdapters(config, noLog);
    const { readModels: models, leases, clock, store } = adapters;
    const readModels = readModelWriteThrough(models);
    const { timings } = config;
    const useCases = createPayments({ ...adapters, readModels, leases, timings, log: noLog });
    const batches = createBatches({
      ...{
        store,
        clock,
        log: noLog,
        leases,
        bankHolidays,
        readModels,
        items: models.batches,
        fundsByClock: true,
      },
    });
    adapters.notices.listen(useCases.inbox);
    await models.start();
    // The same place in a month, whenever this runs.
    const today = new Date();
    await adapters.sandbox?.clock.to(Date.UTC(today.getUTCFullYear(), today.getUTCMonth() + 1, 20, 15));
    return new AuditedService(directory, adapters, useCases, batches);
  }

  /** Ends the service. The data directory stays. */
  async close(): Promise<void> {
    await this.batches.stop();
    await this.adapters.notices.stop();
    await this.useCases.resolver.stop();
    await this.adapters.close();
  }

  async openShop(fundingType: 'Net' | 'Gross', pricing?: NewPricing): Promise<Shop> {
    const { provisioning } = this.useCases;
    const { id } = await provisioning.createMerchant(operator, {
      name: 'Maple Street Books',
      currencies: ['USD', 'CAD'],
      timeZone: 'America/New_York',
      cutOff: '22:00',
      locale: 'en-US',
      fundingType,
      managedWebhooks: false,
      unreferencedRefunds: { enabled: true, dailyLimit: 100_000 },
    });
    const add = (type: 'Physical' | 'VirtualAch', currency: 'USD' | 'CAD') =>
      provisioning.addPaymentMethod(operator, id, {
        type,
        currency,
        isDefault: type === 'Physical' && currency === 'USD',
      });
    const methods = {
      usd: await add('Physical', 'USD'),
      cad: await add('Physical', 'CAD'),
      ach: await add('VirtualAch', 'USD'),
    };
    if (pricing) await this.price(id, pricing);
    const merchant = await this.useCases.authentication.readMerchant(id);
    if (!merchant) throw new Error(`${id} was made`);
    return { merchant, ...methods };
  }

  async price(merchantId: string, pricing: NewPricing): Promise<string> {
    const templates = new PricingTemplateRegistry(this.adapters);
    const { template } = await templates.submit({ actor: operator, merchantId }, pricing);
    await templates.decide({ actor: operator }, template.id, { decision: 'Approve' });
    return template.id;
  }

  useCard(terminal: PaymentMethod, card: string | null): Promise<unknown> {
    if (!this.adapters.sandbox) throw new Error('the sandbox is configured');
    return this.adapters.sandbox.terminals.set(terminal.id, { mode: 'Auto', card });
  }

  async sale(shop: Shop, amount: number, terminal = shop.usd): Promise<OperationId> {
    return idOf(
      await this.useCases.payments.physicalSale(this.context(shop), { amount, paymentMethodId: terminal.id }),
    );
  }

  async auth(shop: Shop, amount: number): Promise<OperationId> {
    return idOf(
      await this.useCases.payments.physicalAuth(this.context(shop), { amount, paymentMethodId: shop.usd.id }),
    );
  }

  async unreferencedRefund(shop: Shop, amount: number): Promise<OperationId> {
    const request = { amount, paymentMethodId: shop.usd.id };
    return idOf(await this.useCases.payments.unreferencedPhysicalRefund(this.context(shop), request));
  }

  async followUp(
    verb: 'capture' | 'refund' | 'void',
    shop: Shop,
    originalTransactionId: string,
    amount?: number,
  ): Promise<OperationId> {
    const input = { originalTransactionId, ...(amount !== undefined && { amount }) };
    return idOf(await this.useCases.payments[verb](this.context(shop), input));
  }

  /** Through a form. */
  async bankSale(shop: Shop, amount: number, accountNumber: string): Promise<OperationId> {
    const { payments, forms, sessionIds } = this.useCases;
    const opened = await payments.virtualSale(this.context(shop), { amount, paymentMethodId: shop.ach.id });
    const id = idOf(opened);
    const bankAccount = {
      ...{ routingNumber: '110000000', accountNumber, name: 'Ann Maple' },
      accountType: 'Checking' as const,
    };
    await forms.submit(
      sessionIds.create(id),
      { bankAccount, billingContact: BILLING },
      { traceId: 'b'.repeat(32) },
    );
    return id;
  }

  async chargeBack(operationId: string, amount: number): Promise<void> {
    const recorded = await this.batches.recordChargeback({
      actor: operator,
      operationId,
      amount,
      reason: '10.4',
    });
    if (recorded?.kind !== 'Recorded') throw new Error(`${operationId} was not charged back`);
  }

  async adjust({ merchant }: Shop, currency: 'USD' | 'CAD', amount: number): Promise<void> {
    const recorded = await this.batches.recordAdjustment({
      ...{ actor: operator, merchantId: merchant.id, currency, amount, reason: 'Goodwill' },
      waitMs: PATIENCE_MS,
    });
    if (recorded?.kind !== 'Recorded') throw new Error('the adjustment was not recorded');
  }

  /** Moves the clock, and waits until the bank's notices are stored, due batches and settlements are made, and months ended. */
  async pass(hours: number): Promise<void> {
    await this.adapters.sandbox?.clock.advance(hours * HOUR_S);
    await eventually(async () => {
      await this.adapters.notices.deliverDue();
      await this.useCases.resolver.runDue(1_000);
      const { pending } = await this.batches.runDue(1_000);
      return pending === 0 && (await this.adapters.notices.countDue()) === 0;
    });
  }

  /** Closes all batches of a merchant now. */
  async closeBatches({ merchant }: Shop): Promise<void> {
    await pause(2);
    const closed = await this.batches.close({
      actor: operator,
      merchantId: merchant.id,
      waitMs: PATIENCE_MS,
    });
    if (!Array.isArray(closed)) throw new Error('the batches were not closed');
    await eventually(async () => (await this.batches.countDue()) === 0);
  }

  private context({ merchant }: Shop) {
    return { merchant, actor: till, traceId: 'a'.repeat(32) };
  }
}

function idOf(result: OperationResult): OperationId {
  if (!('operationId' in result)) throw new Error(`no operation was stored: ${JSON.stringify(result)}`);
  return result.operationId as OperationId;
}

async function eventually(holds: () => Promise<boolean>): Promise<void> {
  for (const deadline = performance.now() + PATIENCE_MS; performance.now() < deadline; await pause(20)) {
    if (await holds()) return;
  }
  throw new Error('it did not happen in time');
}
