import type { FeeCharge, FeeChargeSource, SettledTransaction } from '@tillstream/contracts';
import type { MerchantApi, Query } from './merchant.api.js';

/** A fee, and the settlement of the month that has its transaction, or that charges it if it has none. */
export interface SettledFee {
  readonly fee: FeeCharge;
  readonly settlementId: string;
  readonly cardType: string;
}

export const BANK_PAYMENT = 'Bank payment';

const TYPES_OF_SOURCE: Readonly<Record<FeeChargeSource, readonly SettledTransaction['transactionType'][]>> = {
  Transaction: ['Sale', 'Capture'],
  Return: ['Return'],
  Chargeback: ['Chargeback'],
  Monthly: [],
};

/**
 * Finds, for a page of fees, the settlement that has the transaction of each. The fee itself names the settlement that charges it,
 * which with `Gross` funding is a later one.
 */
export class FeeSettlements {
  /** Chargebacks of one payment with one amount can't be told apart by their fees: how many of them have one. */
  private readonly matched = new Map<string, number>();

  /** @param settlementIds those of the month; fees of others are left out */
  constructor(
    private readonly api: MerchantApi,
    private readonly query: Query,
    private readonly settlementIds: ReadonlySet<string>,
  ) {}

  /** @param fees as many as a filter takes ids */
  async find(fees: readonly FeeCharge[]): Promise<readonly SettledFee[]> {
    const rows = await this.rowsOf(fees);
    return fees.flatMap((fee): SettledFee[] => {
      const { settledTransaction, settlementId } = fee;
      if (!settledTransaction) {
        return settlementId !== null && this.settlementIds.has(settlementId)
          ? [{ fee, settlementId, cardType: BANK_PAYMENT }]
          : [];
      }
      const row = this.settledRowOf(fee, rows.get(settledTransaction.transactionId) ?? []);
      if (!row || !this.settlementIds.has(row.settlement.id)) return [];
      return [{ fee, settlementId: row.settlement.id, cardType: row.cardType ?? BANK_PAYMENT }];
    });
  }

  private settledRowOf(
    { source, settledTransaction }: FeeCharge,
    rows: readonly SettledTransaction[],
  ): SettledTransaction | undefined {
    const fitting = rows.filter(
      ({ transactionType, settledAmount }) =>
        TYPES_OF_SOURCE[source].includes(transactionType) && settledAmount === settledTransaction?.amount,
    );
    if (fitting.length < 2) return fitting[0];
    const key = `${source} ${settledTransaction?.transactionId} ${settledTransaction?.amount}`;
    const taken = this.matched.get(key) ?? 0;
    this.matched.set(key, taken + 1);
    return fitting[taken];
  }

  /** By transaction, the oldest first. */
  private async rowsOf(
    fees: readonly FeeCharge[],
  ): Promise<ReadonlyMap<string, readonly SettledTransaction[]>> {
    const rows = new Map<string, SettledTransaction[]>();
    const transactionId = [...new Set(fees.flatMap((fee) => fee.settledTransaction?.transactionId ?? []))];
    if (transactionId.length === 0) return rows;
    const query = { ...this.query, transactionId, sort: 'settledAt' };
    for await (const page of this.api.pages<SettledTransaction>('/settlements/transactions', query)) {
      for (const row of page) rows.set(row.transactionId, [...(rows.get(row.transactionId) ?? []), row]);
    }
    return rows;
  }
}
