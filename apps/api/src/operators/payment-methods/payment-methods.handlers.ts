import { PAYMENT_METHOD_LIST, PROVISIONING } from '../../api.parts.js';
import { commandOf, queryOf } from '../../use-case.js';

export class AddPaymentMethod extends commandOf(PROVISIONING, 'addPaymentMethod') {}
export class ChangePaymentMethod extends commandOf(PROVISIONING, 'changePaymentMethod') {}
export class FindMerchantOfPaymentMethod extends queryOf(PAYMENT_METHOD_LIST, 'merchantOf') {}
