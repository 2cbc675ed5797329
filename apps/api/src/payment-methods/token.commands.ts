import { STORED_CARDS } from '../api.parts.js';
import { commandOf } from '../use-case.js';

export class StoreCardFromTerminal extends commandOf(STORED_CARDS, 'storeFromTerminal', 'token_create') {}
export class UpdateToken extends commandOf(STORED_CARDS, 'update', 'token_update') {}
export class RemoveToken extends commandOf(STORED_CARDS, 'remove', 'token_remove') {}
