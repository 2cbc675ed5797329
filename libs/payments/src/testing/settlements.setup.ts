import {
  approvePricingTemplate,
  foldPricingTemplates,
  foldSettlement,
  foldSettlementPage,
  monthEndCodec,
  monthEndStream,
  pricingTemplateCodec,
  pricingTemplatesStream,
  recordChargeback,
  SETTLEMENT_CATEGORY,
  SETTLEMENT_PAGE_CATEGORY,
  settlementCodec,
  settlementPageCodec,
  streamOfOperation,
  submitPricingTemplate,
  type Currency,
  type MerchantSettings,
  type MonthEndEvent,
  type OperationId,
  type Pricing,
  type PricingTemplateEvent,
  type PricingTemplates,
  type SettledItem,
  type Settlement,
  type SettlementPage,
} from '@tillstream/domain';
import { readWholeStream, type RecordedEvent } from '@tillstream/event-store';
import { iso } from '../ports/clock.port.js';
import { fromRecorded, serviceActor } from '../stream-repository/event-metadata.js';
import { createPaymentRepository, StreamRepository } from '../stream-repository/repositories.js';
import { operator, setup } from './batches.setup.js';

/* Settlements as their streams have them, and what they follow from. */

export const TEMPLATE: Pricing = {
  name: 'Retail',
  rules: [
    { feeType: 'Interchange', rateBps: 180, fixedAmount: 10 },
    { feeType: 'Markup', rateBps: 25, fixedAmount: 5, channel: 'CardPresent' },
  ],
  monthlyFee: 995,
  returnFee: 500,
  chargebackFee: 1_500,
  validFrom: '2026-03-01T00:00:00.000Z',
};

/** An approved template of the merchant. */
export async function approveTemplate(more: Partial<Pricing> = {}): Promise<void> {
  const merchantId = setup.merchant.id;
  const stream = pricingTemplatesStream(merchantId) ?? '';
  const templates = new StreamRepository<PricingTemplates, PricingTemplateEvent, unknown, string>(setup, {
    codec: pricingTemplateCodec,
    fold: foldPricingTemplates,
  });
  const cause = { merchantId, actor: serviceActor };
  const at = iso(setup.clock.now());
  const submitted = await templates.transact(stream, cause, (state) =>
    submitPricingTemplate(state, { at, merchantId, ...TEMPLATE, ...more }),
  );
  if (submitted.kind !== 'Written') throw new Error(JSON.stringify(submitted));
  const { value: templateId } = submitted;
  await templates.transact(stream, cause, (state) => approvePricingTemplate(state, { at, templateId }));
}

export async function chargeBack(operationId: string, amount: number, chargebackId = 'cbk_1'): Promise<void> {
  const of = operationId as OperationId;
  const data = { at: iso(setup.clock.now()), operationId: of, chargebackId, reason: '10.4', amount };
  const payments = createPaymentRepository(setup);
  const cause = { merchantId: setup.merchant.id, actor: serviceActor };
  await payments.transact(streamOfOperation(operationId) ?? '', cause, (state) =>
    recordChargeback(state, data),
  );
}

/** All settlements, in the order of their start. */
export async function settlements(): Promise<Settlement[]> {
  const streams = await eventsByStream(SETTLEMENT_CATEGORY);
  return streams.map((events) => {
    const state = foldSettlement(events.map((one) => fromRecorded(settlementCodec, one)));
    if (state.status === 'None') throw new Error('a stream without events');
    return state;
  });
}

export async function pages(): Promise<SettlementPage[]> {
  const streams = await eventsByStream(SETTLEMENT_PAGE_CATEGORY);
  return streams.map((events) => {
    const state = foldSettlementPage(events.map((one) => fromRecorded(settlementPageCodec, one)));
    if (state.status === 'None') throw new Error('a stream without events');
    return state;
  });
}

export async function items(settlementId?: string): Promise<SettledItem[]> {
  const chosen = (await pages()).filter(
    (page) => settlementId === undefined || page.settlementId === settlementId,
  );
  return chosen.flatMap((page) => page.items);
}

async function eventsByStream(category: string): Promise<RecordedEvent[][]> {
  const streams = new Map<string, RecordedEvent[]>();
  const { events, end } = await setup.memory.readAll({ categories: [category] });
  if (!end) throw new Error('there are more events than a page has');
  for (const event of events) streams.set(event.stream, [...(streams.get(event.stream) ?? []), event]);
  return [...streams.values()];
}

export async function changeMerchant(change: Partial<MerchantSettings>): Promise<void> {
  await setup.useCases.provisioning.changeMerchant(operator, setup.merchant.id, change);
}

/** What the month of a currency recorded, in order. */
export async function monthEndEvents(currency: Currency = 'USD'): Promise<MonthEndEvent[]> {
  const stream = monthEndStream(setup.merchant.id, currency) ?? '';
  const recorded = await readWholeStream(setup.memory, stream);
  return recorded.map((one) => fromRecorded(monthEndCodec, one));
}
