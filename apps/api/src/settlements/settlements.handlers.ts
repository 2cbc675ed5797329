import { FEE_CHARGE_LIST, SETTLED_TRANSACTION_LIST, SETTLEMENT_LIST } from '../api.parts.js';
import { queryOf } from '../use-case.js';

export class ListSettlements extends queryOf(SETTLEMENT_LIST, 'list') {}
/** As JSON text. Undefined: unknown or another merchant's. */
export class FindSettlement extends queryOf(SETTLEMENT_LIST, 'find') {}
export class ListSettledTransactions extends queryOf(SETTLED_TRANSACTION_LIST, 'list') {}
export class ListFeeCharges extends queryOf(FEE_CHARGE_LIST, 'list') {}
