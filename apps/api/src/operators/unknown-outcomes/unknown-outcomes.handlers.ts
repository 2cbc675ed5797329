import { Inject } from '@nestjs/common';
import {
  Command,
  CommandHandler,
  Query,
  QueryHandler,
  type ICommandHandler,
  type IQueryHandler,
} from '@nestjs/cqrs';
import type {
  InquireResult,
  ManualResolution,
  ResolveResult,
  UnknownOutcomes,
  UnknownOutcomesPage,
  UnknownOutcomesRequest,
} from '@tillstream/payments';
import type { OperatorRequest } from '../../access/request.decorators.js';
import { UNKNOWN_OUTCOMES } from '../../api.parts.js';

export class ListUnknownOutcomes extends Query<UnknownOutcomesPage> {
  constructor(readonly request: UnknownOutcomesRequest) {
    super();
  }
}

export class InquireNow extends Command<InquireResult> {
  constructor(
    readonly operator: OperatorRequest,
    readonly transactionId: string,
  ) {
    super();
  }
}

export class ResolveUnknownOutcome extends Command<ResolveResult> {
  constructor(
    readonly operator: OperatorRequest,
    readonly transactionId: string,
    readonly resolution: ManualResolution,
  ) {
    super();
  }
}

@QueryHandler(ListUnknownOutcomes)
export class ListUnknownOutcomesHandler implements IQueryHandler<ListUnknownOutcomes> {
  constructor(@Inject(UNKNOWN_OUTCOMES) private readonly unknown: UnknownOutcomes) {}

  execute({ request }: ListUnknownOutcomes): Promise<UnknownOutcomesPage> {
    return this.unknown.list(request);
  }
}

@CommandHandler(InquireNow)
export class InquireNowHandler implements ICommandHandler<InquireNow> {
  constructor(@Inject(UNKNOWN_OUTCOMES) private readonly unknown: UnknownOutcomes) {}

  execute({ operator, transactionId }: InquireNow): Promise<InquireResult> {
    return this.unknown.inquire(operator, transactionId);
  }
}

@CommandHandler(ResolveUnknownOutcome)
export class ResolveUnknownOutcomeHandler implements ICommandHandler<ResolveUnknownOutcome> {
  constructor(@Inject(UNKNOWN_OUTCOMES) private readonly unknown: UnknownOutcomes) {}

  execute({ operator, transactionId, resolution }: ResolveUnknownOutcome): Promise<ResolveResult> {
    return this.unknown.resolve(operator, transactionId, resolution, operator.commandId);
  }
}

export const UNKNOWN_OUTCOME_HANDLERS = [
  ListUnknownOutcomesHandler,
  InquireNowHandler,
  ResolveUnknownOutcomeHandler,
];
