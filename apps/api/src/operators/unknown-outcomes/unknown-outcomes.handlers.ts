import { Inject } from '@nestjs/common';
import {
  Command,
  CommandHandler,
  type ICommandHandler,
  Query,
  QueryHandler,
  type IQueryHandler,
} from '@nestjs/cqrs';
import type {
  InquireResult,
  ManualResolution,
  OperatorContext,
  ResolveResult,
  UnknownOutcomes,
  UnknownOutcomesPage,
  UnknownOutcomesRequest,
} from '@tillstream/payments';
import { UNKNOWN_OUTCOMES } from '../../api.parts.js';

export class ListUnknownOutcomes extends Query<UnknownOutcomesPage> {
  constructor(readonly request: UnknownOutcomesRequest) {
    super();
  }
}

@QueryHandler(ListUnknownOutcomes)
export class ListUnknownOutcomesHandler implements IQueryHandler<ListUnknownOutcomes> {
  constructor(@Inject(UNKNOWN_OUTCOMES) private readonly unknownOutcomes: UnknownOutcomes) {}

  execute({ request }: ListUnknownOutcomes): Promise<UnknownOutcomesPage> {
    return this.unknownOutcomes.list(request);
  }
}

export class InquireNow extends Command<InquireResult> {
  constructor(
    readonly operator: OperatorContext,
    readonly transactionId: string,
  ) {
    super();
  }
}

@CommandHandler(InquireNow)
export class InquireNowHandler implements ICommandHandler<InquireNow> {
  constructor(@Inject(UNKNOWN_OUTCOMES) private readonly unknownOutcomes: UnknownOutcomes) {}

  execute({ operator, transactionId }: InquireNow): Promise<InquireResult> {
    return this.unknownOutcomes.inquire(operator, transactionId);
  }
}

export class ResolveUnknownOutcome extends Command<ResolveResult> {
  constructor(
    readonly operator: OperatorContext,
    readonly transactionId: string,
    readonly resolution: ManualResolution,
    readonly commandId?: string,
  ) {
    super();
  }
}

@CommandHandler(ResolveUnknownOutcome)
export class ResolveUnknownOutcomeHandler implements ICommandHandler<ResolveUnknownOutcome> {
  constructor(@Inject(UNKNOWN_OUTCOMES) private readonly unknownOutcomes: UnknownOutcomes) {}

  execute({ operator, transactionId, resolution, commandId }: ResolveUnknownOutcome): Promise<ResolveResult> {
    return this.unknownOutcomes.resolve(operator, transactionId, resolution, commandId);
  }
}

export const UNKNOWN_OUTCOME_HANDLERS = [
  ListUnknownOutcomesHandler,
  InquireNowHandler,
  ResolveUnknownOutcomeHandler,
];
