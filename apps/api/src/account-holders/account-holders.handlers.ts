import { ACCOUNT_HOLDERS } from '../api.parts.js';
import { commandOf, queryOf } from '../use-case.js';
import { AccountHolderList } from './account-holder.list.js';

/* Repeated under the same command id, a command does nothing a second time. */

export class CreateAccountHolder extends commandOf(ACCOUNT_HOLDERS, 'create') {}
export class ChangeAccountHolder extends commandOf(ACCOUNT_HOLDERS, 'change') {}
export class EraseAccountHolder extends commandOf(ACCOUNT_HOLDERS, 'erase') {}
/** By an `acc_` id or the merchant's own external id. Undefined: unknown, erased or another merchant's. */
export class FindAccountHolder extends queryOf(ACCOUNT_HOLDERS, 'find') {}
export class ListAccountHolders extends queryOf(AccountHolderList, 'list') {}
