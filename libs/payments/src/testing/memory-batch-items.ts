import {
  BATCH_CATEGORY,
  evolveSettlement,
  isBeingClosed,
  noSettlement,
  SETTLEMENT_CATEGORY,
  settlementCodec,
  settlementIdFromStream,
  batchCodec,
  batchIdFromStream,
  evolveBatch,
  evolveMerchant,
  merchantCodec,
  noMerchant,
  type MerchantState,
  evolvePayment,
  noBatch,
  noPayment,
  PAYMENT_CATEGORY,
  paymentCodec,
  unbatchedItems,
  type BatchState,
  type Operation,
  type Payment,
  type PaymentState,
  type SettlementState,
} from '@tillstream/domain';
import { streamCategory, type EventStore, type Position } from '@tillstream/event-store';
import type { BatchRow } from '../batches/batch-items.port.js';
import { fromRecorded } from '../stream-repository/event-metadata.js';
import type {
  BatchItems,
  BatchSum,
  MerchantWithUnbatched,
  MerchantZonesRequest,
  UnbatchedRow,
} from '../batches/batch-items.port.js';

const MERCHANT_CATEGORY = 'merchant';

interface Row extends UnbatchedRow {
  readonly merchantId: string;
  readonly currency: string;
  readonly amount: number;
}

/** For tests: reads the new events and looks through all payments in each call, so that it is always up to date. */
export class MemoryBatchItems implements BatchItems {
  private readonly payments = new Map<string, { state: PaymentState; revision: number }>();
  private readonly batches = new Map<string, { state: BatchState; at: number }>();
  private readonly settlements = new Map<string, SettlementState>();
  private readonly merchants = new Map<string, MerchantState>();
  private readTo: Position | undefined;

  constructor(private readonly store: EventStore) {}

  async merchantsWithUnbatched(): ReturnType<BatchItems['merchantsWithUnbatched']> {
    const oldest = new Map<string, Row>();
    for (const row of await this.rows()) {
      const key = `${row.merchantId} ${row.currency}`;
      if (row.at < (oldest.get(key)?.at ?? Number.POSITIVE_INFINITY)) oldest.set(key, row);
    }
    return [...oldest.values()].map(({ merchantId, currency, at }) => ({ merchantId, currency, oldest: at }));
  }

  async oldestUnbatchedSince(
    merchantId: string,
    currency: string,
    since: number,
  ): Promise<number | undefined> {
    const rows = (await this.rows()).filter(
      (row) => row.merchantId === merchantId && row.currency === currency && row.at >= since,
    );
    return rows.length === 0 ? undefined : Math.min(...rows.map(({ at }) => at));
  }

  async unbatched({
    merchantId,
    currency,
    before,
    after,
    limit,
  }: Parameters<BatchItems['unbatched']>[0]): ReturnType<BatchItems['unbatched']> {
    const rows = (await this.rows())
      .filter((row) => row.merchantId === merchantId && row.currency === currency && row.at < before)
      .filter((row) => !after || isAfter(row, after))
      .sort((a, b) => (isAfter(a, b) ? 1 : -1));
    return { generation: 1, items: rows.slice(0, limit) };
  }

  async batchSums(batchId: string): ReturnType<BatchItems['batchSums']> {
    await this.read();
    const sums: BatchSum[] = [];
    for (const { payment, operation } of this.operations()) {
      const { channel } = payment;
      const { batch, kind, returns, chargebacks = [] } = operation;
      if (batch?.id === batchId) sums.push({ channel, type: kind, count: 1, amount: batch.amount });
      for (const { batchId: returnBatchId, amount } of [...returns, ...chargebacks]) {
        if (returnBatchId === batchId) sums.push({ channel, type: 'BankReturn', count: 1, amount: -amount });
      }
    }
    return { generation: 1, sums };
  }

  async sumOfUnbatched({
    merchantId,
    currency,
    before,
  }: Parameters<BatchItems['sumOfUnbatched']>[0]): ReturnType<BatchItems['sumOfUnbatched']> {
    const rows = (await this.rows()).filter(
      (row) => row.merchantId === merchantId && row.currency === currency && row.at < before,
    );
    return { count: rows.length, amount: rows.reduce((sum, { amount }) => sum + amount, 0) };
  }

  async closingBatchIds(limit: number): Promise<readonly string[]> {
    await this.read();
    return [...this.batches]
      .filter(([, { state }]) => isBeingClosed(state))
      .sort(([, a], [, b]) => a.at - b.at)
      .slice(0, limit)
      .map(([id]) => id);
  }

  async adjustedBatches(): ReturnType<BatchItems['adjustedBatches']> {
    await this.read();
    const adjusted: MerchantWithUnbatched[] = [];
    for (const { state } of this.batches.values()) {
      if (state.status !== 'Open') continue;
      const { merchantId, currency, adjustments } = state;
      for (const { at } of adjustments.slice(0, 1))
        adjusted.push({ merchantId, currency, oldest: Date.parse(at) });
    }
    return adjusted;
  }

  async merchantZones({ after = '', limit }: MerchantZonesRequest): ReturnType<BatchItems['merchantZones']> {
    await this.read();
    const zones = [...this.merchants.values()].flatMap((state) =>
      state.status === 'None' ? [] : [{ merchantId: state.id, timeZone: state.timeZone }],
    );
    return zones
      .filter(({ merchantId }) => merchantId > after)
      .sort((a, b) => (a.merchantId > b.merchantId ? 1 : -1))
      .slice(0, limit);
  }

  async batchRows({
    batchId,
    channels,
    part,
    after,
    limit,
  }: Parameters<BatchItems['batchRows']>[0]): Promise<readonly BatchRow[]> {
    await this.read();
    const rows: BatchRow[] = [];
    for (const { payment, operation } of this.operations()) {
      const taken = part === 'Operations' ? operation.batch?.id : operation.lastReturnBatchId;
      if (taken !== batchId || !channels.includes(payment.channel)) continue;
      rows.push({ operationId: operation.id, createdAt: Date.parse(operation.createdAt) });
    }
    return rows
      .filter((row) => !after || isLater(row, after))
      .sort((a, b) => (isLater(a, b) ? 1 : -1))
      .slice(0, limit);
  }

  async settlementsDueBefore(instant: number, limit: number): Promise<readonly string[]> {
    await this.read();
    return [...this.settlements]
      .filter(([, state]) => state.status === 'Pending' && Date.parse(state.fundingDueAt) < instant)
      .slice(0, limit)
      .map(([id]) => id);
  }

  private async rows(): Promise<Row[]> {
    await this.read();
    const rows: Row[] = [];
    for (const { payment, operation, revision } of this.operations()) {
      const items = unbatchedItems(payment, operation);
      if (items.length === 0) continue;
      const { merchantId, currency } = payment;
      const at = Math.min(...items.map(({ movedAt }) => Date.parse(movedAt)));
      const amount = items.reduce((sum, item) => sum + item.amount, 0);
      rows.push({ merchantId, currency, at, amount, revision, operationId: operation.id });
    }
    return rows;
  }

  private *operations(): Generator<{ payment: Payment; operation: Operation; revision: number }> {
    for (const { state, revision } of this.payments.values()) {
      if (state.status === 'None') continue;
      for (const operation of state.operations) yield { payment: state, operation, revision };
    }
  }

  private async read(): Promise<void> {
    for (let end = false; !end;) {
      const page = await this.store.readAll({
        ...(this.readTo && { after: this.readTo }),
        categories: [PAYMENT_CATEGORY, BATCH_CATEGORY, SETTLEMENT_CATEGORY, MERCHANT_CATEGORY],
      });
      for (const recorded of page.events) {
        const { stream, revision } = recorded;
        if (streamCategory(stream) === PAYMENT_CATEGORY) {
          const { state } = this.payments.get(stream) ?? { state: noPayment };
          const event = fromRecorded(paymentCodec, recorded);
          this.payments.set(stream, { state: evolvePayment(state, event), revision });
        } else if (streamCategory(stream) === MERCHANT_CATEGORY) {
          const event = fromRecorded(merchantCodec, recorded);
          this.merchants.set(stream, evolveMerchant(this.merchants.get(stream) ?? noMerchant, event));
        } else if (streamCategory(stream) === SETTLEMENT_CATEGORY) {
          const id = settlementIdFromStream(stream);
          const event = fromRecorded(settlementCodec, recorded);
          this.settlements.set(id, evolveSettlement(this.settlements.get(id) ?? noSettlement, event));
        } else {
          const id = batchIdFromStream(stream);
          const { state } = this.batches.get(id) ?? { state: noBatch };
          const event = fromRecorded(batchCodec, recorded);
          this.batches.set(id, { state: evolveBatch(state, event), at: Date.parse(event.data.at) });
        }
      }
      this.readTo = page.next ?? this.readTo;
      end = page.end;
    }
  }
}

function isLater(row: BatchRow, other: BatchRow): boolean {
  return (
    row.createdAt > other.createdAt ||
    (row.createdAt === other.createdAt && row.operationId > other.operationId)
  );
}

function isAfter(row: UnbatchedRow, other: Pick<UnbatchedRow, 'operationId' | 'at'>): boolean {
  return row.at > other.at || (row.at === other.at && row.operationId > other.operationId);
}
