import { cpSync, mkdtempSync, rmSync } from 'node:fs';
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
import { bankHolidays, noLog, openAdapters, readConfig, readModelWriteThrough, type Adapters } from '@tillstream/platform';
import { auditCommand } from '../audit.command.js';

export const operator: Actor = { type: 'Operator', name: 'Olga' };
const till: Actor = { type: 'ApiKey', name: 'till', keyId: 'key_1' };
const HOUR_S = 3_600;
/** The sandbox executes it and never answers. */
export const NO_ANSWER = 920_001;
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
  monthlyFee: 0,
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

  static async open(): Promise<AuditedService> {
    const directory = mkdtempSync(join(tmpdir(), 'tillstream-audited-'));
    const config = readConfig({ DATA_DIR: directory, PROCESSOR_DEADLINE_MS: '400', TERMINAL_DEADLINE_MS: '1500' });
    const adapters = await openAdapters(config, noLog);
    const { readModels: models, leases, clock, store } = adapters;
    const readModels = readModelWriteThrough(models);
    const { timings } = config;
    const useCases = createPayments({ ...adapters, readModels, leases, timings, log: noLog });
    const batches = createBatches({
      ...{ store, clock, log: noLog, leases, bankHolidays, readModels, items: models.batches, fundsByClock: true },
    });
    adapters.notices.listen(useCases.inbox);
    await models.start();
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
      provisioning.addPaymentMethod(operator, id, { type, currency, isDefault: type === 'Physical' && currency === 'USD' });
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
    return idOf(await this.useCases.payments.physicalSale(this.context(shop), { amount, paymentMethodId: terminal.id }));
  }

  async auth(shop: Shop, amount: number): Promise<OperationId> {
    return idOf(await this.useCases.payments.physicalAuth(this.context(shop), { amount, paymentMethodId: shop.usd.id }));
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
    await forms.submit(sessionIds.create(id), { bankAccount, billingContact: BILLING }, { traceId: 'b'.repeat(32) });
    return id;
  }

  async chargeBack(operationId: string, amount: number): Promise<void> {
    const recorded = await this.batches.recordChargeback({ actor: operator, operationId, amount, reason: '10.4' });
    if (recorded?.kind !== 'Recorded') throw new Error(`${operationId} was not charged back`);
  }

  /** Moves the clock, and waits until the bank's notices are stored, and due batches and settlements are made. */
  async pass(hours: number): Promise<void> {
    await this.adapters.sandbox?.clock.advance(hours * HOUR_S);
    await eventually(async () => {
      await this.adapters.notices.deliverDue();
      const { pending } = await this.batches.runDue(1_000);
      return pending === 0 && (await this.adapters.notices.countDue()) === 0;
    });
  }

  /** Closes all batches of a merchant now. */
  async closeBatches({ merchant }: Shop): Promise<void> {
    await pause(2);
    const closed = await this.batches.close({ actor: operator, merchantId: merchant.id, waitMs: PATIENCE_MS });
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

/** What the shops of `keepShops` did. */
export interface KeptShops {
  readonly directory: string;
  readonly net: Shop;
  readonly gross: Shop;
  readonly sold: OperationId;
  readonly captured: OperationId;
  readonly refunded: OperationId;
  readonly charged: OperationId;
  readonly returned: OperationId;
  readonly open: OperationId;
  /** A template that is approved and never in effect at a cut-off. */
  readonly laterTemplate: string;
}

/** Two merchants over two weeks: every kind of item, both currencies, both ways of funding, and one open outcome. */
export async function keepShops(): Promise<KeptShops> {
  const service = await AuditedService.open();
  const net = await service.openShop('Net', TEMPLATE);
  const gross = await service.openShop('Gross', TEMPLATE);
  const sold = await service.sale(net, 10_050);
  await service.useCard(net.usd, '378282246310005');
  const amex = await service.sale(net, 7_777);
  await service.useCard(net.usd, null);
  await service.sale(net, 4_499, net.cad);
  const auth = await service.auth(net, 20_000);
  const captured = await service.followUp('capture', net, auth, 5_000);
  await service.followUp('capture', net, auth, 6_001);
  await service.followUp('void', net, auth, 1_000);
  await service.followUp('void', net, await service.sale(net, 900));
  await service.followUp('void', net, captured, 250);
  await service.followUp('refund', net, amex, 777);
  await service.unreferencedRefund(net, 1_234);
  const returned = await service.bankSale(net, 8_800, '000222222227');
  await service.bankSale(net, 3_300, '000123456789');
  await service.bankSale(net, 2_200, '000111111116');
  const grossSale = await service.sale(gross, 12_345);
  await service.closeBatches(net);
  await service.closeBatches(gross);

  const refunded = await service.followUp('refund', net, sold, 2_500);
  await service.followUp('refund', net, amex, 1_000);
  await service.followUp('refund', gross, grossSale, 345);
  await service.chargeBack(captured, 4_000);
  const later = { ...TEMPLATE, name: 'Holiday', chargebackFee: 2_500, validFrom: '2099-01-01T00:00:00.000Z' };
  const laterTemplate = await service.price(net.merchant.id, later);
  await service.pass(30);
  await service.sale(net, 650);
  await service.closeBatches(net);
  await service.pass(24 * 12);
  await service.sale(net, 333);
  const open = await service.sale(net, NO_ANSWER);
  await service.close();
  const { directory } = service;
  return { directory, net, gross, sold, captured, refunded, charged: captured, returned, open, laterTemplate };
}

/** A copy of the data directory, for an error to be planted in it. */
export function copyOf(directory: string): string {
  const copy = mkdtempSync(join(tmpdir(), 'tillstream-planted-'));
  cpSync(directory, copy, { recursive: true });
  return copy;
}

export function remove(directory: string): void {
  rmSync(directory, { recursive: true, force: true });
}

/** Runs the command. */
export async function auditOf(args: readonly string[], environment: Readonly<Record<string, string>> = {}) {
  const lines: string[] = [];
  const errors: string[] = [];
  const terminal = {
    line: (text: string) => void lines.push(...text.split('\n')),
    error: (text: string) => void errors.push(text),
  };
  const code = await auditCommand(args, environment, terminal);
  return { code, lines, errors, text: lines.join('\n') };
}
