import { UNKNOWN_OUTCOMES } from '../../api.parts.js';
import { commandOf, queryOf } from '../../use-case.js';

export class ListUnknownOutcomes extends queryOf(UNKNOWN_OUTCOMES, 'list') {}
export class InquireNow extends commandOf(UNKNOWN_OUTCOMES, 'inquire') {}
export class ResolveUnknownOutcome extends commandOf(UNKNOWN_OUTCOMES, 'resolve') {}
