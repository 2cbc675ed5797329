import { hash } from 'node:crypto';
import {
  batchCodec,
  batchHashInput,
  completeClosing,
  createSettlement,
  feeOfItem,
  foldBatch,
  foldSettlement,
  formatBatchId,
  nextSettlementPage,
  noBatch,
  noSettlement,
  putIntoBatch,
  settleBatch,
  SETTLEMENT_PAGE_ROWS_MAX,
  settlementCodec,
  settlementIdOf,
  settlementPageCodec,
  startClosing,
  startSettlement,
  streamOfBatch,
  streamOfSettlement,
  streamOfSettlementPage,
  type Batch,
  type BatchDecision,
  type BatchState,
  type BatchTotals,
  type Event,
  type EventCodec,
  type KindTotals,
  type PageSettled,
  type SettledItem,
  type Settlement,
  type SettlementDecision,
  type SettlementPricing,
  type SettlementState,
} from '@tillstream/domain';
import type { NewEvent, RecordedEvent } from '@tillstream/event-store';
import { FIRST_PAYMENT_AT, HistoryFile, writePayments } from '../stores/history.file.js';
import {
  encodedEvents,
  eventsOf,
  iso,
  MERCHANT_ID,
  METHOD_ID,
  numberedSample,
  type SamplePayment,
} from '../stores/sample.payment.js';

const PER_BATCH = 5_000;
const CURRENCY = 'USD';
const NO_ITEMS = { count: 0, amount: 0 };
const NO_KIND: KindTotals = { sales: NO_ITEMS, refunds: NO_ITEMS, returns: NO_ITEMS };
const PRICING: SettlementPricing = {
  ...{ templateId: 'prt_01JNB0K3QZ8X4T6V9W2Y5R7M1C', version: 1, name: 'Standard' },
  rules: [
    { feeType: 'Interchange', rateBps: 150, fixedAmount: 10, channel: 'CardPresent' },
    { feeType: 'Scheme', rateBps: 14, fixedAmount: 2 },
    { feeType: 'Markup', rateBps: 30, fixedAmount: 10 },
  ],
  ...{ monthlyFee: 995, returnFee: 500, chargebackFee: 1_500, validFrom: iso(FIRST_PAYMENT_AT) },
};

/**
 * Writes a file of sales, all of which batches took and settlements have, as the service writes them: five events for each
 * sale, and a page for each 50. Returns the number of events.
 */
export async function writeSettledHistory(
  path: string,
  payments: number,
  progress: (done: number) => void,
): Promise<number> {
  const file = new HistoryFile(path);
  try {
    for (let from = 0; from < payments; from += PER_BATCH) {
      const count = Math.min(PER_BATCH, payments - from);
      // Even numbers are sales.
      const samples = Array.from({ length: count }, (_, index) =>
        numberedSample(2 * (from + index), FIRST_PAYMENT_AT),
      );
      await file.inTransaction(() => new SettledBatch(file, 1 + from / PER_BATCH, samples).write());
      progress(from);
    }
    return file.count;
  } finally {
    file.close();
  }
}

/** A batch of one merchant and its settlement. */
class SettledBatch {
  private readonly id: string;
  private readonly closedAt: string;
  private batch: BatchState = noBatch;
  private lastOfBatch: RecordedEvent | undefined;
  private settlement: SettlementState = noSettlement;
  private lastOfSettlement: RecordedEvent | undefined;

  constructor(
    private readonly file: HistoryFile,
    private readonly number: number,
    private readonly samples: readonly SamplePayment[],
  ) {
    this.id = formatBatchId(hash('sha256', batchHashInput(MERCHANT_ID, CURRENCY, number), 'buffer'));
    this.closedAt = iso((samples.at(-1)?.at ?? 0) + 1_000);
  }

  write(): void {
    const { file, id, closedAt: at, samples } = this;
    const payments = writePayments(file, samples);
    const opening = {
      ...({ batchId: id, merchantId: MERCHANT_ID, currency: CURRENCY, number: this.number } as const),
      openedAt: iso(samples[0]?.at ?? 0),
    };
    this.appendBatch((state) => startClosing(state, { at, cutOffAt: at, cause: 'Operator', opening }));
    for (const payment of payments) {
      const item = { at, operationId: payment.sample.operationId, batchId: id, closing: 1 };
      payment.append((state) => putIntoBatch(state, item));
    }
    this.appendBatch((state) => completeClosing(state, { at, closing: 1, totals: this.totals }));
    const { settlementId, amount } = this.writeSettlement();
    const settlements = [{ settlementId, kind: 'Card', transactionCount: samples.length, amount }] as const;
    this.appendBatch((state) => settleBatch(state, { at, settlements }));
  }

  private writeSettlement() {
    const { closedAt: at, id: batchId, number: batchNumber } = this;
    const settlementId = settlementIdOf(batchId, 'Card');
    this.appendSettlement((state) =>
      startSettlement(state, {
        ...{
          at,
          settlementId,
          merchantId: MERCHANT_ID,
          currency: CURRENCY,
          kind: 'Card',
          batchId,
          batchNumber,
        },
        ...{ cutOffAt: at, fundingType: 'Net', timeZone: 'America/New_York', pricing: PRICING },
        ...{ expectedFundingDate: at.slice(0, 10), fundingDueAt: at, adjustments: [] },
        expected: this.totals.card,
      }),
    );
    const last = this.writePages(this.settlement as Settlement);
    this.appendSettlement((state) => createSettlement(state, { at, pages: last.page, sums: last.sums }));
    const { amount = 0 } = (this.settlement as Settlement).created ?? {};
    return { settlementId, amount };
  }

  private writePages(settlement: Settlement): PageSettled {
    const { closedAt: at, samples } = this;
    let last: PageSettled | undefined;
    for (let from = 0; from < samples.length; from += SETTLEMENT_PAGE_ROWS_MAX) {
      const items = samples.slice(from, from + SETTLEMENT_PAGE_ROWS_MAX).map(settledItem);
      const isLast = from + items.length === samples.length;
      const { at: createdAt = 0, operationId } = samples[from + items.length - 1] as SamplePayment;
      const lastRow = { part: 'Operations', createdAt, operationId } as const;
      last = nextSettlementPage(settlement, last, { at, items, lastRow, isLast });
      const stream = streamOfSettlementPage(settlement.settlementId, last.page);
      this.file.append(
        stream,
        undefined,
        this.encoded(settlementPageCodec, [{ type: 'PageSettled', data: last }]),
      );
    }
    if (!last) throw new Error('a batch has items');
    return last;
  }

  private appendBatch(decide: (state: BatchState) => BatchDecision): void {
    const events = eventsOf(decide(this.batch));
    const stream = streamOfBatch(this.id) ?? '';
    this.lastOfBatch = this.file.append(stream, this.lastOfBatch, this.encoded(batchCodec, events));
    this.batch = foldBatch(events, this.batch) as Batch;
  }

  private appendSettlement(decide: (state: SettlementState) => SettlementDecision): void {
    const events = eventsOf(decide(this.settlement));
    const stream = streamOfSettlement(settlementIdOf(this.id, 'Card')) ?? '';
    this.lastOfSettlement = this.file.append(
      stream,
      this.lastOfSettlement,
      this.encoded(settlementCodec, events),
    );
    this.settlement = foldSettlement(events, this.settlement);
  }

  private encoded<One extends Event<string, object>>(
    codec: EventCodec<One>,
    events: readonly One[],
  ): NewEvent[] {
    const { merchantId, commandId } = this.samples[0] as SamplePayment;
    return encodedEvents(codec, events, { merchantId, commandId, at: Date.parse(this.closedAt) });
  }

  private get totals(): BatchTotals {
    const amount = this.samples.reduce((sum, one) => sum + one.amount, 0);
    const { length: count } = this.samples;
    const card = { ...NO_KIND, sales: { count, amount } };
    return { transactionCount: count, amount, card, bank: NO_KIND };
  }
}

/** As the service takes it from the payment's stream. */
function settledItem({ operationId, amount, at }: SamplePayment): SettledItem {
  const item: SettledItem = {
    ...{ operationId, type: 'Sale', amount, movedAt: iso(at + 40), channel: 'CardPresent' },
    ...{ paymentMethodId: METHOD_ID, cardType: 'VISA', accountType: 'Credit', cardFunding: 'Credit' },
    ...{ entryMode: 'Chip', gatewayTransactionId: `sbx_${operationId.slice(4)}.1` },
    ...{ processor: 'sandbox', processorAccount: 'sandbox' },
  };
  const fee = feeOfItem(PRICING, item);
  return { ...item, ...(fee && { fee: { feeId: `fee_${operationId.slice(4)}`, ...fee } }) };
}
