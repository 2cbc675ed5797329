import type {
  FeeCharge,
  SettledTransaction,
  Settlement as SettlementShape,
  SettlementLine as SettlementLineShape,
  SettlementSummary,
} from '@tillstream/contracts';
import {
  pick,
  type ItemFee,
  type SettledItem,
  type Settlement,
  type Adjustment,
  type SettlementCreated,
  type SettlementLine,
  type SettlementPage,
} from '@tillstream/domain';

/* Settlements and fees as clients see them (`docs/spec/settlement.md#settlements`). */

/** `created`: of the settlement; one that is not created is not shown. */
export function settlementSummary(settlement: Settlement, created: SettlementCreated): SettlementSummary {
  const { settlementId, merchantId, currency, status, fundingType, batchId, createdAt, fundedAt } =
    settlement;
  return {
    id: settlementId,
    ...{ merchantId, currency },
    status: status === 'Funded' ? 'Funded' : 'Pending',
    fundingType,
    amount: created.amount,
    netAmount: created.amount,
    ...pick(created, 'grossAmount', 'refundAmount', 'feeAmount', 'adjustmentAmount', 'transactionCount'),
    batchIds: [batchId],
    createdAt,
    expectedFundingDate: settlement.expectedFundingDate,
    ...(fundedAt !== undefined && { fundedAt }),
  };
}

/** Undefined before it is created. */
export function settlementShape(settlement: Settlement): SettlementShape | undefined {
  const { created } = settlement;
  return created && { ...settlementSummary(settlement, created), lines: settlementLinesShape(created) };
}

export function settlementLinesShape({ lines }: Pick<SettlementCreated, 'lines'>): SettlementLineShape[] {
  return lines.map((line) => ({
    type: line.type,
    description: describeLine(line),
    amount: line.amount,
    count: line.count,
  }));
}

function describeLine({ type, feeType = 'Markup', month = '', reason = '' }: SettlementLine): string {
  switch (type) {
    case 'Sales':
      return 'Sales and captures';
    case 'Refunds':
      return 'Refunds';
    case 'Returns':
      return 'Returns by the bank';
    case 'Chargebacks':
      return 'Chargebacks';
    case 'Fees':
      return `${feeType} fees`;
    case 'ReturnFees':
      return 'Fees of returns';
    case 'ChargebackFees':
      return 'Fees of chargebacks';
    case 'MonthlyFee':
      return `Monthly fee of ${month}`;
    case 'MonthFees':
      return `Fees of ${month}`;
    case 'Adjustment':
      return reason === '' ? 'Adjustment' : reason;
  }
}

/** Without the time of the funding, which the settlement has. */
export function settledTransactionShape(page: SettlementPage, item: SettledItem): SettledTransaction {
  return {
    settlement: { id: page.settlementId },
    transactionId: item.operationId,
    transactionType: item.type,
    ...pick(item, 'gatewayTransactionId'),
    batchId: page.batchId,
    currency: page.currency,
    ...pick(item, 'cardType'),
    settledAmount: item.amount,
    settledAt: page.settledAt,
  };
}

export function itemFeeCharge(
  page: SettlementPage,
  item: SettledItem & { readonly fee: ItemFee },
): FeeCharge {
  const { feeId, source, amount, lines } = item.fee;
  const charged =
    page.fundingType === 'Net'
      ? { settlementId: page.settlementId, chargedAt: page.settledAt }
      : page.charged && { settlementId: page.charged.settlementId, chargedAt: page.charged.at };
  return {
    id: feeId,
    source,
    status: charged ? 'Charged' : 'Pending',
    amount,
    currency: page.currency,
    settlementId: charged ? charged.settlementId : null,
    settledTransaction: { transactionId: item.operationId, amount: item.amount },
    feeBreakdown: lines.map((line) => pick(line, 'type', 'rateBps', 'fixedAmount', 'amount')),
    ...(charged && { chargedAt: charged.chargedAt }),
  };
}

export function monthlyFeeCharge(
  { settlementId, currency, createdAt: chargedAt }: Settlement,
  { feeId, amount: debit }: Adjustment & { readonly feeId: string },
): FeeCharge {
  const amount = -debit;
  return {
    id: feeId,
    source: 'Monthly',
    status: 'Charged',
    amount,
    currency,
    settlementId,
    feeBreakdown: [{ type: 'Markup', rateBps: 0, fixedAmount: amount, amount }],
    chargedAt,
  };
}
