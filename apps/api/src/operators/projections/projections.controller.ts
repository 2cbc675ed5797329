import { Body, Controller, Get, Param, Post, Query } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import type { ListPage, Projection } from '@tillstream/contracts';
import { RebuildRefused } from '@tillstream/read-models';
import { Operator, type OperatorRequest } from '../../access/caller.js';
import { conflict, notFound } from '../../http/api.error.js';
import { OperatorApi } from '../../http/endpoint.decorators.js';
import { INDEX, listQuery } from '../../validation/list.query.js';
import { NoFieldsDto } from '../../validation/no-fields.dto.js';
import { ListProjections, RebuildProjection } from './projections.handlers.js';
import { PROJECTION_ENDPOINTS } from './projections.docs.js';

class ProjectionListQuery extends listQuery({ boundTo: () => 'projections', place: INDEX }) {}

/** The lists that are projected from the events, and their rebuild (`docs/spec/service.md#projections`). */
@ApiTags('Projections')
@Controller('admin/v1/projections')
@OperatorApi(PROJECTION_ENDPOINTS)
export class ProjectionsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Get()
  async listProjections(@Query() query: ProjectionListQuery): Promise<ListPage<Projection>> {
    return query.slice(await this.queries.execute(new ListProjections()));
  }

  /** The service reads the live list while the rebuild runs. */
  @Post(':name/rebuild')
  async rebuildProjection(
    @Operator() operator: OperatorRequest,
    @Param('name') name: string,
    @Body() _body: NoFieldsDto,
  ): Promise<Projection> {
    const rebuilding = await this.commands
      .execute(new RebuildProjection(name, operator))
      .catch(throwAsConflict);
    if (!rebuilding) throw notFound('There is no such projection.');
    return rebuilding;
  }
}

/** @throws ApiError 409, 3401 if a rebuild is running; any other error as it is */
export function throwAsConflict(error: unknown): never {
  if (!(error instanceof RebuildRefused)) throw error;
  throw conflict(`The projection can not be rebuilt now: ${error.reason}.`);
}
