import { CommandHandler, QueryHandler } from '@nestjs/cqrs';
import type { Batches } from '@tillstream/payments';
import { BATCHES } from '../../api.parts.js';
import { CommandOf, handlerOf, QueryOf } from '../../use-case.js';

export class CloseBatches extends CommandOf<Batches['close']> {}

@CommandHandler(CloseBatches)
export class CloseBatchesHandler extends handlerOf(BATCHES, 'close') {}

export class FindBatch extends QueryOf<Batches['find']> {}

@QueryHandler(FindBatch)
export class FindBatchHandler extends handlerOf(BATCHES, 'find') {}

export const BATCH_HANDLERS = [CloseBatchesHandler, FindBatchHandler];
