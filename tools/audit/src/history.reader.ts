import { setImmediate } from 'node:timers/promises';
import {
  BATCH_CATEGORY,
  batchCodec,
  batchIdFromStream,
  merchantCodec,
  MONTH_END_CATEGORY,
  monthEndCodec,
  PAYMENT_CATEGORY,
  paymentCodec,
  PRICING_TEMPLATES_CATEGORY,
  pricingTemplateCodec,
  SETTLEMENT_CATEGORY,
  SETTLEMENT_PAGE_CATEGORY,
  settlementCodec,
  settlementIdFromStream,
  settlementPageCodec,
  type BatchEvent,
  type BatchTotals,
  type PageFeesCharged,
  type PageSettled,
  type SettlementEvent,
} from '@tillstream/domain';
import { streamCategory, type EventStore, type Position, type RecordedEvent } from '@tillstream/event-store';
import { moneyEvent, partOfItem, partsOfFee, type PartSum, type SettlementPart } from '@tillstream/ledger';
import { fromRecorded } from '@tillstream/payments';
import type { WorkingFile } from './working.file.js';

const MERCHANT_CATEGORY = 'merchant';
const CATEGORIES = [
  PAYMENT_CATEGORY,
  BATCH_CATEGORY,
  SETTLEMENT_CATEGORY,
  SETTLEMENT_PAGE_CATEGORY,
  PRICING_TEMPLATES_CATEGORY,
  MONTH_END_CATEGORY,
  MERCHANT_CATEGORY,
];
const PAGE_EVENTS = 1_000;

/** A batch's or settlement's event with its place in the store, as a record of kind `batch` or `settlement`. */
export type PlacedEvent<Event> = Event & { readonly place: number };

/** A record of kind `closing`, by merchant and currency; its part is the place of `BatchClosing`. */
export interface OverClosing {
  readonly batchId: string;
  readonly closing: number;
  readonly cutOffAt: string;
}

/** A record of kind `page`, by settlement: what the page says, and the sums of its own items. */
export interface PageRecord extends Pick<
  PageSettled,
  'page' | 'sums' | 'isLast' | 'batchId' | 'kind' | 'fundingType'
> {
  readonly merchantId: string;
  readonly currency: PageSettled['currency'];
  readonly items: Readonly<Partial<Record<SettlementPart, PartSum>>>;
  /** Fees whose amount is not the sum of their lines. */
  readonly wrongFees: readonly {
    readonly operationId: string;
    readonly amount: number;
    readonly lines: number;
  }[];
  readonly charged?: PageFeesCharged;
}

/** A record of kind `merchant`: what an event changed. */
export interface MerchantRecord {
  readonly currencies?: readonly string[];
  readonly isActive?: boolean;
}

export interface IntakeResult {
  readonly events: number;
  /** Of the last event: what the audit covers. Absent in an empty store. */
  readonly head?: Position;
  /** The latest service time of an event. */
  readonly serviceTime: string;
}

/**
 * Reads the history up to the head of the store as it is now, and sorts it into the working file. Holds one page of events,
 * and what is known of batches that are closing.
 * @throws UnknownEvent for an event of a newer version of this program
 */
export async function readHistory(
  store: Pick<EventStore, 'readAll' | 'head' | 'comparePositions'>,
  file: WorkingFile,
  {
    signal,
    onProgress = () => undefined,
  }: { readonly signal?: AbortSignal; onProgress?(events: number): void },
): Promise<IntakeResult> {
  const head = await store.head();
  const intake = new Intake(file);
  let after: Position | undefined;
  while (head !== undefined) {
    signal?.throwIfAborted();
    const page = await store.readAll({ categories: CATEGORIES, limit: PAGE_EVENTS, ...(after && { after }) });
    const covered = page.events.filter(({ position }) => store.comparePositions(position, head) <= 0);
    file.together(() => covered.forEach((event) => intake.take(event)));
    onProgress(intake.events);
    if (page.end || page.next === undefined || store.comparePositions(page.next, head) >= 0) break;
    after = page.next;
    await setImmediate();
  }
  return { events: intake.events, ...(head && { head }), serviceTime: intake.serviceTime };
}

class Intake {
  events = 0;
  serviceTime = '';
  /** Of the batches that are closing, at most one for each merchant and currency. */
  private readonly closing = new Map<string, number>();

  constructor(private readonly file: WorkingFile) {}

  take(event: RecordedEvent): void {
    this.events += 1;
    const time = event.metadata['serviceTime'];
    if (typeof time === 'string' && time > this.serviceTime) this.serviceTime = time;
    switch (streamCategory(event.stream)) {
      case PAYMENT_CATEGORY:
        return this.takePayment(event);
      case BATCH_CATEGORY:
        return this.takeBatch(batchIdFromStream(event.stream), fromRecorded(batchCodec, event));
      case SETTLEMENT_CATEGORY: {
        const settled = fromRecorded(settlementCodec, event);
        return this.putPlaced('settlement', settlementIdFromStream(event.stream), settled);
      }
      case SETTLEMENT_PAGE_CATEGORY:
        return this.takePage(event);
      case MERCHANT_CATEGORY:
        return this.takeMerchant(event.stream.slice(MERCHANT_CATEGORY.length + 1), event);
      case MONTH_END_CATEGORY: {
        const [characters = '', currency = ''] = event.stream.slice(MONTH_END_CATEGORY.length + 1).split('.');
        return this.putPlaced('month', `mer_${characters} ${currency}`, fromRecorded(monthEndCodec, event));
      }
      case PRICING_TEMPLATES_CATEGORY: {
        const root = event.stream.slice(PRICING_TEMPLATES_CATEGORY.length + 1);
        return this.putPlaced('template', root, fromRecorded(pricingTemplateCodec, event));
      }
    }
  }

  private takePayment(event: RecordedEvent): void {
    const root = event.stream.slice(PAYMENT_CATEGORY.length + 1);
    const money = moneyEvent(fromRecorded(paymentCodec, event), this.events);
    if (money) this.file.addEvent(root, money);
  }

  private takeBatch(batchId: string, event: BatchEvent): void {
    this.putPlaced('batch', batchId, event);
    if (event.type === 'BatchOpened') {
      const { merchantId, currency, number } = event.data;
      this.file.putRecord('batch-number', `${merchantId} ${currency}`, number, { batchId });
    }
    if (event.type === 'BatchAdjusted') {
      this.file.putRecord('adjustment', event.data.adjustmentId, this.events, { batchId });
    }
    if (event.type === 'BatchClosing') this.closing.set(batchId, this.events);
    if (event.type !== 'BatchClosed' && event.type !== 'BatchStayedOpen') return;
    const place = this.closing.get(batchId);
    const events = this.file.recordsOf<PlacedEvent<BatchEvent>>('batch', batchId).map(({ data }) => data);
    const opened = events.find(({ type }) => type === 'BatchOpened');
    const started = events.findLast(({ type }) => type === 'BatchClosing');
    this.closing.delete(batchId);
    if (place === undefined || opened?.type !== 'BatchOpened' || started?.type !== 'BatchClosing') return;
    const { merchantId, currency } = opened.data;
    const { closing, cutOffAt } = started.data;
    const over: OverClosing = { batchId, closing, cutOffAt };
    this.file.putRecord('closing', `${merchantId} ${currency}`, place, over);
  }

  private takeMerchant(merchantId: string, event: RecordedEvent): void {
    const { type, data } = fromRecorded(merchantCodec, event);
    const put = (record: MerchantRecord): void =>
      this.file.putRecord('merchant', merchantId, this.events, record);
    if (type === 'MerchantDisabled' || type === 'MerchantEnabled')
      put({ isActive: type === 'MerchantEnabled' });
    else if ('currencies' in data && data.currencies) put({ currencies: data.currencies });
  }

  private takePage(event: RecordedEvent): void {
    const decoded = fromRecorded(settlementPageCodec, event);
    if (decoded.type === 'PageSettled') return this.takeItems(decoded.data);
    const [settlementId, page] = pageOfStream(event.stream);
    const known = this.file.recordAt<PageRecord>('page', settlementId, page);
    if (known) this.file.putRecord('page', settlementId, page, { ...known, charged: decoded.data });
  }

  private takeItems(data: PageSettled): void {
    const { settlementId, batchId, page, items } = data;
    const sums: Partial<Record<SettlementPart, PartSum>> = {};
    const wrongFees: PageRecord['wrongFees'][number][] = [];
    const add = (part: SettlementPart, amount: number): void => {
      const { count, amount: before } = sums[part] ?? { count: 0, amount: 0 };
      sums[part] = { count: count + 1, amount: before + amount };
    };
    for (const [index, { fee, ...item }] of items.entries()) {
      const { operationId, type, returnId, chargebackId, amount, channel, cardType } = item;
      const place = `${settlementId} ${String(this.events).padStart(16, '0')} ${String(index).padStart(3, '0')}`;
      const found = {
        ...{ settlementId, batchId, operationId, type, amount, channel },
        ...(returnId !== undefined && { returnId }),
        ...(chargebackId !== undefined && { chargebackId }),
        ...(cardType && { cardType }),
        ...(fee && { fee }),
      };
      this.file.addItem(rootOf(operationId), place, found);
      add(partOfItem(type), amount);
      if (!fee) continue;
      for (const [part, charged] of partsOfFee(fee)) add(part, charged);
      const lines = fee.lines.reduce((sum, line) => sum + line.amount, 0);
      if (lines !== fee.amount) wrongFees.push({ operationId, amount: fee.amount, lines });
    }
    const { merchantId, currency, isLast, kind, fundingType, sums: stored } = data;
    const record: PageRecord = {
      ...{ page, isLast, kind, fundingType, batchId, merchantId, currency, sums: stored },
      ...{ items: sums, wrongFees },
    };
    this.file.putRecord('page', settlementId, page, record);
  }

  private putPlaced(kind: string, id: string, event: BatchEvent | SettlementEvent | object): void {
    this.file.putRecord(kind, id, this.events, { ...event, place: this.events });
  }
}

/** The 23 characters that the operations of a payment share. */
export function rootOf(operationId: string): string {
  return operationId.slice('trx_'.length, 'trx_'.length + 23);
}

function pageOfStream(stream: string): readonly [settlementId: string, page: number] {
  const [characters = '', page = ''] = stream.slice(SETTLEMENT_PAGE_CATEGORY.length + 1).split('.');
  return [`stl_${characters}`, Number(page)];
}

/** The totals that a batch closed with; undefined while it is not closed. */
export function closedTotals(events: readonly BatchEvent[]): BatchTotals | undefined {
  const closed = events.find(({ type }) => type === 'BatchClosed');
  return closed?.type === 'BatchClosed' ? closed.data : undefined;
}
