import { Controller, Get, Param, Post, Req } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import type { ListPage, Projection } from '@tillstream/contracts';
import { Callers } from '../access/callers.js';
import type { Answer } from '../http/answer.js';
import type { ApiRequest } from '../http/api.request.js';
import { OperatorEndpoint } from '../openapi/endpoint.js';
import { KeptAnswers } from '../transactions/kept.answers.js';
import { listQuery } from '../validation/list.query.js';
import { NoFieldsDto } from '../validation/no-fields.dto.js';
import { requestBody } from '../validation/request.body.js';
import { operatorActor } from './operator.actor.js';
import { asConflict, noProjection, projectionShape } from './projections.answer.js';
import { ListProjections, RebuildProjection } from './projections.handlers.js';
import { PROJECTION_ENDPOINTS } from './projections.docs.js';

/** The lists that are made from the events, and their making anew (`docs/spec/service.md#projections`). */
@ApiTags('Projections')
@Controller('admin/v1/projections')
@Callers('AdminKey')
export class ProjectionsController {
  constructor(
    private readonly kept: KeptAnswers,
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Get()
  @OperatorEndpoint(PROJECTION_ENDPOINTS.list)
  async list(@Req() request: ApiRequest): Promise<ListPage<Projection>> {
    const { limit, after, nextCursor } = listQuery(request, { boundTo: 'projections', place: /^\d{1,3}$/ });
    const from = Number(after ?? 0);
    const all = await this.queries.execute(new ListProjections());
    const data = all.slice(from, from + limit).map(projectionShape);
    const next = from + limit < all.length ? nextCursor(String(from + limit)) : null;
    return { data, hasMore: next !== null, nextCursor: next };
  }

  /** The service answers all the while from the list that is there. */
  @Post(':name/rebuild')
  @OperatorEndpoint(PROJECTION_ENDPOINTS.rebuild)
  async rebuild(@Req() request: ApiRequest, @Param('name') name: string): Promise<Answer> {
    const asked = await requestBody(request, NoFieldsDto, { mayBeEmpty: true });
    const operator = { actor: operatorActor(request), traceId: request.traceId };
    return this.kept.once(request, asked, async () => {
      const rebuilding = await this.commands
        .execute(new RebuildProjection(operator, name))
        .catch((error: unknown) => {
          throw asConflict(error);
        });
      if (!rebuilding) throw noProjection();
      return projectionShape(rebuilding);
    });
  }
}
