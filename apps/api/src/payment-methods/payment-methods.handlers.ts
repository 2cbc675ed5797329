import { PAYMENT_METHOD_LIST, STORED_CARDS } from '../api.parts.js';
import { commandOf, queryOf } from '../use-case.js';
import { TokenList } from './token.list.js';

export class ListPaymentMethods extends queryOf(PAYMENT_METHOD_LIST, 'list') {}
export class ListTokensOfHolder extends queryOf(TokenList, 'list') {}
export class StoreCardFromTerminal extends commandOf(STORED_CARDS, 'storeFromTerminal', 'token_create') {}
export class StoreCardThroughForm extends commandOf(STORED_CARDS, 'storeThroughForm', 'token_create') {}
export class UpdateToken extends commandOf(STORED_CARDS, 'update', 'token_update') {}
export class RemoveToken extends commandOf(STORED_CARDS, 'remove', 'token_remove') {}
