import { PROCESSORS } from '../../api.parts.js';
import { commandOf, queryOf } from '../../use-case.js';

export class ListProcessors extends queryOf(PROCESSORS, 'status') {}
export class StopProcessor extends commandOf(PROCESSORS, 'stop') {}
export class ResumeProcessor extends commandOf(PROCESSORS, 'resume') {}
