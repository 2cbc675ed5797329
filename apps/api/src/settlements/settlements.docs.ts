import { ErrorCode } from '@tillstream/contracts';
import { answer, pageResponse, type EndpointTexts } from '../openapi/endpoint.js';
import { idParameter } from '../openapi/parameters.js';
import * as s from '../openapi/response.schema.js';
import { SAMPLE, SAMPLE_TIME } from '../openapi/samples.js';
import {
  FEE_CHARGE,
  SAMPLE_FEE_CHARGE,
  SAMPLE_SETTLED_TRANSACTION,
  SAMPLE_SETTLEMENT,
  SAMPLE_SUMMARY,
  SETTLED_TRANSACTION,
  SETTLEMENT,
  SETTLEMENT_SUMMARY,
} from './settlement.responses.js';

const asOf = { description: 'The list as it was at this time.', example: '2099-01-01T00:00:00Z' };
const settledFrom = { description: 'Settled at this time or later.', example: SAMPLE_TIME };
const settledTo = { description: 'Settled before this time.', example: '2099-01-01T00:00:00Z' };
const settlementId = { description: 'In this settlement.', example: SAMPLE.settlement };

export const SETTLEMENT_ENDPOINTS: EndpointTexts = {
  listSettlements: {
    summary: 'List settlements',
    description:
      'What is paid out for closed batches. A batch makes one settlement for each expected funding date.',
    filters: {
      currency: { description: 'ISO 4217.', example: 'USD' },
      status: { description: 'The state of the settlement.', example: 'Pending' },
      ...{ settledFrom, settledTo, asOf },
    },
    response: pageResponse(s.pageOf('SettlementPage', SETTLEMENT_SUMMARY), SAMPLE_SUMMARY),
  },
  listSettledTransactions: {
    summary: 'List settled transactions',
    description: 'The transactions in settlements, and the returns and chargebacks of them.',
    filters: {
      settlementId,
      batchId: { description: 'In this batch.', example: SAMPLE.batch },
      transactionId: { description: 'Of this transaction.', example: SAMPLE.sale },
      transactionType: { description: 'What was settled.', example: 'Sale' },
      ...{ settledFrom, settledTo, asOf },
    },
    response: pageResponse(
      s.pageOf('SettledTransactionPage', SETTLED_TRANSACTION),
      SAMPLE_SETTLED_TRANSACTION,
    ),
  },
  getSettlement: {
    summary: 'Look a settlement up',
    description: 'With its lines, which add up to its amount.',
    path: { id: idParameter('The settlement.', SAMPLE.settlement) },
    rejections: { 404: [ErrorCode.ResourceNotFound] },
    response: answer('The settlement.', SETTLEMENT, SAMPLE_SETTLEMENT),
  },
};

export const FEE_CHARGE_ENDPOINTS: EndpointTexts = {
  listFeeCharges: {
    summary: 'List fee charges',
    description:
      'The fees of sales, captures, returns, chargebacks and months. Those that wait are first by default.',
    filters: {
      settlementId: { description: 'Charged with this settlement.', example: SAMPLE.settlement },
      status: { description: 'Whether it is charged.', example: 'Charged' },
      source: { description: 'What it is for.', example: 'Transaction' },
      chargedFrom: { description: 'Charged at this time or later.', example: SAMPLE_TIME },
      chargedTo: { description: 'Charged before this time.', example: '2099-01-01T00:00:00Z' },
      asOf,
    },
    response: pageResponse(s.pageOf('FeeChargePage', FEE_CHARGE), SAMPLE_FEE_CHARGE),
  },
};
