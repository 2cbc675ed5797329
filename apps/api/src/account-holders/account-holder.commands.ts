import { ACCOUNT_HOLDERS } from '../api.parts.js';
import { commandOf } from '../use-case.js';

/* Repeated under the same command id, a command does nothing a second time. */

export class CreateAccountHolder extends commandOf(ACCOUNT_HOLDERS, 'create') {}
export class ChangeAccountHolder extends commandOf(ACCOUNT_HOLDERS, 'change') {}
export class EraseAccountHolder extends commandOf(ACCOUNT_HOLDERS, 'erase') {}
