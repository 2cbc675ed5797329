import { Inject } from '@nestjs/common';
import {
  Command,
  CommandHandler,
  Query,
  QueryHandler,
  type ICommandHandler,
  type IQueryHandler,
} from '@nestjs/cqrs';
import type { Batches, BatchView, CloseRequest } from '@tillstream/payments';
import { BATCHES } from '../../api.parts.js';

type CloseResult = Awaited<ReturnType<Batches['close']>>;

/** Closes the open batches; see `Batches.close`. */
export class CloseBatches extends Command<CloseResult> {
  constructor(readonly request: CloseRequest) {
    super();
  }
}

/** Undefined: there is no such batch. */
export class FindBatch extends Query<BatchView | undefined> {
  constructor(readonly batchId: string) {
    super();
  }
}

@CommandHandler(CloseBatches)
export class CloseBatchesHandler implements ICommandHandler<CloseBatches> {
  constructor(@Inject(BATCHES) private readonly batches: Batches) {}

  execute({ request }: CloseBatches): Promise<CloseResult> {
    return this.batches.close(request);
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
