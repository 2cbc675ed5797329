import { PAYMENTS } from '../api.parts.js';
import { commandOf, queryOf } from '../use-case.js';
import { TransactionLists, TransactionLookup } from './transaction.results.js';

export class PhysicalSale extends commandOf(PAYMENTS, 'physicalSale', 'sale') {}
export class PhysicalAuth extends commandOf(PAYMENTS, 'physicalAuth', 'auth') {}
export class UnreferencedPhysicalRefund extends commandOf(
  PAYMENTS,
  'unreferencedPhysicalRefund',
  'unreferenced_refund',
) {}
export class VirtualSale extends commandOf(PAYMENTS, 'virtualSale', 'sale') {}
export class VirtualAuth extends commandOf(PAYMENTS, 'virtualAuth', 'auth') {}
export class UnreferencedVirtualRefund extends commandOf(
  PAYMENTS,
  'unreferencedVirtualRefund',
  'unreferenced_refund',
) {}
export class TokenSale extends commandOf(PAYMENTS, 'tokenSale', 'sale') {}
export class TokenAuth extends commandOf(PAYMENTS, 'tokenAuth', 'auth') {}
export class Capture extends commandOf(PAYMENTS, 'capture', 'capture') {}
export class Refund extends commandOf(PAYMENTS, 'refund', 'refund') {}
export class Void extends commandOf(PAYMENTS, 'void', 'void') {}

export class FindTransaction extends queryOf(TransactionLookup, 'find') {}
export class ListTransactions extends queryOf(TransactionLists, 'list') {}
export class ReadHistory extends queryOf(PAYMENTS, 'history') {}
