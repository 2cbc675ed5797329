import {
  adjustedKind,
  dateInZone,
  expectedFunding,
  foldPricingTemplates,
  pick,
  pricingTemplateCodec,
  pricingTemplatesStream,
  settlementIdOf,
  templateInEffect,
  type Batch,
  type Merchant,
  type PricingTemplates,
  type SettlementKind,
  type SettlementPricing,
  type SettlementStarted,
} from '@tillstream/domain';
import { readWholeStream } from '@tillstream/event-store';
import type { BatchParts } from '../batches/batches.js';
import { fromRecorded } from '../stream-repository/event-metadata.js';

type TermParts = Pick<BatchParts, 'store' | 'authentication' | 'bankHolidays'>;

/**
 * What a settlement depends on besides its items: the merchant's funding type and zone as they are now, the template in
 * effect at the cut-off, and the expected date. Its first event keeps them.
 * @throws Error if the batch is not closed or its merchant does not exist
 */
export async function settlementTerms(
  parts: TermParts,
  batch: Batch,
  kind: SettlementKind,
): Promise<Omit<SettlementStarted, 'at'>> {
  const { id: batchId, merchantId, currency, number, closing, totals } = batch;
  const merchant = await parts.authentication.readMerchant(merchantId);
  if (!merchant || !closing || !totals) throw new Error(`batch ${batchId} can not be settled`);
  const { cutOffAt } = closing;
  const { timeZone, fundingType } = merchant;
  const holidays = await holidaysAround(parts, currency, dateInZone(Date.parse(cutOffAt), timeZone));
  const pricing = await pricingAt(parts, merchant, cutOffAt);
  return {
    settlementId: settlementIdOf(batchId, kind),
    ...{ merchantId, currency, kind, batchId, batchNumber: number, cutOffAt, fundingType, timeZone },
    ...expectedFunding(kind, { cutOffAt, timeZone }, holidays),
    ...(pricing && { pricing }),
    expected: kind === 'Card' ? totals.card : totals.bank,
    adjustments: kind === adjustedKind(batch) ? batch.adjustments : [],
  };
}

/** Of the year of a date and of the next: at the end of December the funding is in January. */
async function holidaysAround(
  { bankHolidays }: TermParts,
  currency: Batch['currency'],
  date: string,
): Promise<ReadonlySet<string>> {
  const year = Number(date.slice(0, 4));
  const dates = await Promise.all([bankHolidays(currency, year), bankHolidays(currency, year + 1)]);
  return new Set(dates.flat());
}

export async function loadTemplates(
  { store }: Pick<TermParts, 'store'>,
  merchantId: string,
): Promise<PricingTemplates> {
  const stream = pricingTemplatesStream(merchantId);
  const recorded = stream === undefined ? [] : await readWholeStream(store, stream);
  return foldPricingTemplates(recorded.map((one) => fromRecorded(pricingTemplateCodec, one)));
}

async function pricingAt(
  parts: TermParts,
  { id }: Merchant,
  at: string,
): Promise<SettlementPricing | undefined> {
  const template = templateInEffect(await loadTemplates(parts, id), at);
  if (!template) return undefined;
  const fees = pick(template, 'rules', 'monthlyFee', 'returnFee', 'chargebackFee', 'validFrom');
  return { templateId: template.id, ...pick(template, 'version', 'name'), ...fees };
}
