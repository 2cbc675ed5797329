import { CommandHandler, QueryHandler } from '@nestjs/cqrs';
import type { UnknownOutcomes } from '@tillstream/payments';
import { UNKNOWN_OUTCOMES } from '../../api.parts.js';
import { CommandOf, handlerOf, QueryOf } from '../../use-case.js';

export class ListUnknownOutcomes extends QueryOf<UnknownOutcomes['list']> {}

@QueryHandler(ListUnknownOutcomes)
export class ListUnknownOutcomesHandler extends handlerOf(UNKNOWN_OUTCOMES, 'list') {}

export class InquireNow extends CommandOf<UnknownOutcomes['inquire']> {}

@CommandHandler(InquireNow)
export class InquireNowHandler extends handlerOf(UNKNOWN_OUTCOMES, 'inquire') {}

export class ResolveUnknownOutcome extends CommandOf<UnknownOutcomes['resolve']> {}

@CommandHandler(ResolveUnknownOutcome)
export class ResolveUnknownOutcomeHandler extends handlerOf(UNKNOWN_OUTCOMES, 'resolve') {}

export const UNKNOWN_OUTCOME_HANDLERS = [
  ListUnknownOutcomesHandler,
  InquireNowHandler,
  ResolveUnknownOutcomeHandler,
];
