import { streamCategory, type EventStore, type RecordedEvent } from '@tillstream/event-store';
import { readEvents } from '../audit/histories.js';
import type { ExpectedRule } from './expected.fees.js';
import type {
  Adjustment,
  BatchRecord,
  BatchSettlement,
  MonthRecord,
  PageRecord,
  SettlementCreated,
  SettlementRecord,
} from './settlement.records.types.js';

/* What the events say about settlements, collected without a codec or a fold of the service. */

interface Template {
  readonly templateId: string;
  readonly version: number;
  readonly validFrom: string;
  readonly rules: readonly ExpectedRule[];
  readonly monthlyFee: number;
  readonly returnFee: number;
  readonly chargebackFee: number;
}

interface OperationFacts {
  readonly type: string;
  readonly channel: string;
  cardType: string | undefined;
}

const CATEGORIES = ['payment', 'batch', 'settlement', 'settlementpage', 'monthend', 'pricingtemplates'];
const TYPE_OF_REQUEST: Readonly<Record<string, string>> = {
  SaleRequested: 'Sale',
  CaptureRequested: 'Capture',
  RefundRequested: 'Refund',
  UnreferencedRefundRequested: 'UnreferencedRefund',
};

export class SettlementRecords {
  readonly batches = new Map<string, BatchRecord>();
  readonly settlements = new Map<string, SettlementRecord>();
  /** By stream and month. */
  readonly months = new Map<string, MonthRecord>();
  /** Facts that no order of events explains. */
  readonly complaints: string[] = [];
  private readonly operations = new Map<string, OperationFacts>();
  /** By payment stream: the channel, and the card of the outcome that opened it. */
  private readonly payments = new Map<string, OperationFacts>();
  private readonly templates = new Map<string, Template[]>();
  private readonly approved = new Set<string>();
  /** By stream. */
  private readonly pages = new Map<string, PageRecord>();

  static async read(store: EventStore): Promise<SettlementRecords> {
    const records = new SettlementRecords();
    await readEvents(store, (event) => records.take(event), { categories: CATEGORIES });
    return records;
  }

  /** Of the approved templates that were valid at a time the one with the latest `validFrom`. */
  templateAt(merchantId: string, at: string): Template | undefined {
    return (this.templates.get(merchantId) ?? [])
      .filter(({ templateId, validFrom }) => this.approved.has(templateId) && validFrom <= at)
      .toSorted((a, b) => a.validFrom.localeCompare(b.validFrom) || a.version - b.version)
      .at(-1);
  }

  private take(event: RecordedEvent): void {
    switch (streamCategory(event.stream)) {
      case 'payment':
        return this.takePayment(event);
      case 'batch':
        return this.takeBatch(event);
      case 'settlement':
        return this.takeSettlement(event);
      case 'settlementpage':
        return this.takePage(event);
      case 'monthend':
        return this.takeMonth(event);
      default:
        return this.takeTemplate(event);
    }
  }

  private takePayment({ stream, type, data }: RecordedEvent): void {
    const id = String(data['operationId']);
    if (type === 'Batched') return this.takeItem(id, data);
    const requested = TYPE_OF_REQUEST[type] ?? (type === 'AuthorizationRequested' ? 'Auth' : undefined);
    if (requested !== undefined) {
      const opening = this.payments.get(stream);
      const channel = opening?.channel ?? String(data['channel']);
      const facts = { type: requested, channel, cardType: opening?.cardType ?? cardTypeIn(data) };
      if (!opening) this.payments.set(stream, facts);
      this.operations.set(id, facts);
      return;
    }
    const cardType = ['Authorized', 'Captured', 'Refunded'].includes(type) ? cardTypeIn(data) : undefined;
    const operation = this.operations.get(id);
    if (operation && cardType !== undefined) operation.cardType = cardType;
  }

  private takeItem(operationId: string, data: RecordedEvent['data']): void {
    const batch = this.batches.get(String(data['batchId']));
    const facts = this.operations.get(operationId);
    if (!batch || !facts) return void this.complaints.push(`${operationId} is in no known batch`);
    const [returnId, chargebackId] = [data['returnId'], data['chargebackId']];
    const type = returnId !== undefined ? 'Return' : chargebackId !== undefined ? 'Chargeback' : facts.type;
    const takenBack = returnId ?? chargebackId;
    const takenBackId = takenBack === undefined ? undefined : String(takenBack);
    const { channel, cardType } = facts;
    batch.items.push({ operationId, takenBackId, type, amount: Number(data['amount']), channel, cardType });
  }

  private takeBatch({ stream, type, data, metadata }: RecordedEvent): void {
    const batchId = `bat_${stream.slice('batch-'.length)}`;
    const at = Date.parse(String(metadata['realTime']));
    if (type === 'BatchOpened') {
      const { merchantId, currency } = data as Readonly<Record<string, string>>;
      const record = { batchId, merchantId: merchantId ?? '', currency: currency ?? '', closingAt: at };
      this.batches.set(batchId, { ...record, items: [], adjustments: [] });
      return;
    }
    const batch = this.batches.get(batchId);
    if (!batch) return void this.complaints.push(`${batchId} has ${type} without an opening`);
    if (type === 'BatchClosing') batch.closingAt = at;
    if (type === 'BatchAdjusted') batch.adjustments.push(data as unknown as Adjustment);
    if (type === 'BatchClosed') batch.closed = data as unknown as NonNullable<BatchRecord['closed']>;
    if (type === 'BatchSettled')
      batch.settled = { at, settlements: data['settlements'] as unknown as readonly BatchSettlement[] };
  }

  private takeSettlement({ stream, type, data }: RecordedEvent): void {
    const settlementId = `stl_${stream.slice('settlement-'.length)}`;
    const known = this.settlements.get(settlementId);
    if (type === 'SettlementStarted') {
      if (known) this.complaints.push(`${settlementId} started twice`);
      const started = data as unknown as SettlementRecord['started'];
      this.settlements.set(settlementId, { started, created: [], pages: [], funded: 0 });
      return;
    }
    if (!known) return void this.complaints.push(`${settlementId} has ${type} without a start`);
    if (type === 'SettlementCreated') known.created.push(data as unknown as SettlementCreated);
    if (type === 'SettlementFunded') known.funded += 1;
  }

  private takePage({ stream, type, data }: RecordedEvent): void {
    const known = this.pages.get(stream);
    if (type === 'PageFeesCharged') {
      if (!known || known.charged) this.complaints.push(`${stream}: its fees are charged wrongly`);
      else known.charged = data as unknown as NonNullable<PageRecord['charged']>;
      return;
    }
    if (known) return void this.complaints.push(`${stream} is written twice`);
    const page = { ...(data as unknown as PageRecord) };
    this.pages.set(stream, page);
    const settlement = this.settlements.get(String(data['settlementId']));
    if (settlement) settlement.pages.push(page);
    else this.complaints.push(`${stream} is of a settlement that never started`);
  }

  private takeMonth({ stream, type, data }: RecordedEvent): void {
    const key = `${stream} ${String(data['month'])}`;
    const known = this.months.get(key);
    if (type === 'MonthEnded') {
      if (known) this.complaints.push(`${key} ended twice`);
      const ended = data as unknown as MonthRecord['ended'];
      this.months.set(key, { ended, charged: 0 });
    } else if (!known) this.complaints.push(`${key} has ${type} without an end`);
    else if (type === 'MonthCharged') known.charged += 1;
  }

  private takeTemplate({ type, data }: RecordedEvent): void {
    if (type === 'PricingTemplateApproved') return void this.approved.add(String(data['templateId']));
    if (type !== 'PricingTemplateSubmitted') return;
    const merchantId = String(data['merchantId']);
    const known = this.templates.get(merchantId) ?? [];
    this.templates.set(merchantId, [...known, data as unknown as Template]);
  }
}

function cardTypeIn(data: RecordedEvent['data']): string | undefined {
  const { card, paymentMethod } = data as {
    readonly card?: { readonly cardType?: string };
    readonly paymentMethod?: { readonly cardType?: string };
  };
  return card?.cardType ?? paymentMethod?.cardType;
}
