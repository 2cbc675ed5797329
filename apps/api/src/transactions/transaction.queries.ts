import { PAYMENTS } from '../api.parts.js';
import { queryOf } from '../use-case.js';
import { TransactionResults } from './transaction.results.js';

export class FindTransaction extends queryOf(TransactionResults, 'find') {}
export class ListTransactions extends queryOf(TransactionResults, 'list') {}
export class ReadHistory extends queryOf(PAYMENTS, 'history') {}
