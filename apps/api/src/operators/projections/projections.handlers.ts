import { Inject } from '@nestjs/common';
import { Command, CommandHandler, QueryHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { ProjectionStatus } from '@tillstream/read-models';
import type { OperatorRequest } from '../../access/request.decorators.js';
import { PROJECTIONS_CONTROL } from '../../api.parts.js';
import { handlerOf, QueryOf } from '../../use-case.js';
import { isProjection, type Projections } from './projection.rebuilds.js';

export class ListProjections extends QueryOf<Projections['list']> {}

/** Its result is the projection in its new state; undefined: there is none of this name. */
export class RebuildProjection extends Command<ProjectionStatus | undefined> {
  constructor(
    readonly operator: OperatorRequest,
    readonly name: string,
  ) {
    super();
  }
}

@QueryHandler(ListProjections)
export class ListProjectionsHandler extends handlerOf(PROJECTIONS_CONTROL, 'list') {}

@CommandHandler(RebuildProjection)
export class RebuildProjectionHandler implements ICommandHandler<RebuildProjection> {
  constructor(@Inject(PROJECTIONS_CONTROL) private readonly projections: Projections) {}

  async execute({ operator, name }: RebuildProjection): Promise<ProjectionStatus | undefined> {
    if (!isProjection(name)) return undefined;
    await this.projections.startRebuild(name, operator);
    const started = await this.projections.one(name);
    // The rebuild of a short history may have ended; the response shows the rebuild that was requested.
    return started && { ...started, status: 'Rebuilding' };
  }
}

export const PROJECTION_HANDLERS = [ListProjectionsHandler, RebuildProjectionHandler];
