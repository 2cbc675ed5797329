import { Inject } from '@nestjs/common';
import {
  Command,
  CommandHandler,
  type ICommandHandler,
  Query,
  QueryHandler,
  type IQueryHandler,
} from '@nestjs/cqrs';
import type { Batches, BatchView, CloseRequest, CurrencyNotOffered } from '@tillstream/payments';
import { BATCHES } from '../../api.parts.js';

/** Undefined: there is no such merchant. */
export class CloseBatches extends Command<CurrencyNotOffered | readonly BatchView[] | undefined> {
  constructor(readonly request: CloseRequest) {
    super();
  }
}

@CommandHandler(CloseBatches)
export class CloseBatchesHandler implements ICommandHandler<CloseBatches> {
  constructor(@Inject(BATCHES) private readonly batches: Batches) {}

  execute({ request }: CloseBatches): Promise<CurrencyNotOffered | readonly BatchView[] | undefined> {
    return this.batches.close(request);
  }
}

export class FindBatch extends Query<BatchView | undefined> {
  constructor(readonly batchId: string) {
    super();
  }
}

@QueryHandler(FindBatch)
export class FindBatchHandler implements IQueryHandler<FindBatch> {
  constructor(@Inject(BATCHES) private readonly batches: Batches) {}

  execute({ batchId }: FindBatch): Promise<BatchView | undefined> {
    return this.batches.find(batchId);
  }
}

export const BATCH_HANDLERS = [CloseBatchesHandler, FindBatchHandler];
