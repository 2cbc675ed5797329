import { Inject } from '@nestjs/common';
import {
  Command,
  CommandHandler,
  type ICommandHandler,
  Query,
  QueryHandler,
  type IQueryHandler,
} from '@nestjs/cqrs';
import type { OperatorContext } from '@tillstream/payments';
import type { ProjectionStatus } from '@tillstream/read-models';
import { PROJECTIONS_CONTROL } from '../../api.parts.js';
import type { RebuildingProjections } from './projection.rebuilds.js';

export class ListProjections extends Query<readonly ProjectionStatus[]> {}

@QueryHandler(ListProjections)
export class ListProjectionsHandler implements IQueryHandler<ListProjections> {
  constructor(@Inject(PROJECTIONS_CONTROL) private readonly projections: RebuildingProjections) {}

  execute(): Promise<readonly ProjectionStatus[]> {
    return this.projections.list();
  }
}

/** Undefined: there is no such projection. */
export class RebuildProjection extends Command<ProjectionStatus | undefined> {
  constructor(
    readonly name: string,
    readonly operator: OperatorContext,
  ) {
    super();
  }
}

@CommandHandler(RebuildProjection)
export class RebuildProjectionHandler implements ICommandHandler<RebuildProjection> {
  constructor(@Inject(PROJECTIONS_CONTROL) private readonly projections: RebuildingProjections) {}

  execute({ name, operator }: RebuildProjection): Promise<ProjectionStatus | undefined> {
    return this.projections.startRebuild(name, operator);
  }
}

export const PROJECTION_HANDLERS = [ListProjectionsHandler, RebuildProjectionHandler];
