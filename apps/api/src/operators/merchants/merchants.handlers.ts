import { DIRECTORY, MERCHANT_LIST, PROVISIONING } from '../../api.parts.js';
import { commandOf, queryOf } from '../../use-case.js';

export class CreateMerchant extends commandOf(PROVISIONING, 'createMerchant') {}
export class ChangeMerchant extends commandOf(PROVISIONING, 'changeMerchant') {}
export class SetMerchantDisabled extends commandOf(PROVISIONING, 'setMerchantDisabled') {}
/** Reads the store's current state. */
export class FindMerchant extends queryOf(DIRECTORY, 'readMerchant') {}
export class ListMerchants extends queryOf(MERCHANT_LIST, 'list') {}
