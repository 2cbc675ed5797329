import { BATCHES } from '../../api.parts.js';
import { commandOf, queryOf } from '../../use-case.js';

export class CloseBatches extends commandOf(BATCHES, 'close') {}
export class FindBatch extends queryOf(BATCHES, 'find') {}
