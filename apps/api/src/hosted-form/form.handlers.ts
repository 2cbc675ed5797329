import { FORMS } from '../api.parts.js';
import { commandOf } from '../use-case.js';

export class SubmitForm extends commandOf(FORMS, 'submit') {}
export class CompleteChallenge extends commandOf(FORMS, 'completeChallenge') {}
export class CancelForm extends commandOf(FORMS, 'cancel') {}
