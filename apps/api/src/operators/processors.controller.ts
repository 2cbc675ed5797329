import { Controller, Get, Param, Post, Req } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import type { ListPage, ProcessorState } from '@tillstream/contracts';
import type { ProcessorStatus } from '@tillstream/platform';
import { Callers } from '../access/callers.js';
import type { Answer } from '../http/answer.js';
import { notFound } from '../http/api.error.js';
import type { ApiRequest } from '../http/api.request.js';
import { OperatorEndpoint } from '../openapi/endpoint.js';
import { KeptAnswers } from '../transactions/kept.answers.js';
import { listQuery } from '../validation/list.query.js';
import { requestBody } from '../validation/request.body.js';
import { operatorActor } from './operator.actor.js';
import { ResumeProcessorDto, StopProcessorDto } from './processors.dto.js';
import { ListProcessors, ResumeProcessor, StopProcessor } from './processors.handlers.js';
import { PROCESSOR_ENDPOINTS } from './processors.docs.js';

/** Whether payments are sent to a processor, and an operator's hand on that. */
@ApiTags('Processors')
@Controller('admin/v1/processors')
@Callers('AdminKey')
export class ProcessorsController {
  constructor(
    private readonly kept: KeptAnswers,
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Get()
  @OperatorEndpoint(PROCESSOR_ENDPOINTS.list)
  async list(@Req() request: ApiRequest): Promise<ListPage<ProcessorState>> {
    const { limit, after, nextCursor } = listQuery(request, { boundTo: 'processors', place: /^\d{1,3}$/ });
    const from = Number(after ?? 0);
    const all = await this.queries.execute(new ListProcessors());
    const next = from + limit < all.length ? nextCursor(String(from + limit)) : null;
    return { data: all.slice(from, from + limit).map(shown), hasMore: next !== null, nextCursor: next };
  }

  /** From then on, within 2 s on every instance, nothing new is sent to it. */
  @Post(':name/stop')
  @OperatorEndpoint(PROCESSOR_ENDPOINTS.stop)
  async stop(@Req() request: ApiRequest, @Param('name') name: string): Promise<Answer> {
    const asked = await requestBody(request, StopProcessorDto);
    const { reason } = asked.body;
    const turn = { actor: operatorActor(request), traceId: request.traceId, reason };
    return this.kept.once(request, asked, async (commandId) =>
      known(
        await this.commands.execute(
          new StopProcessor(name, { ...turn, ...(commandId !== undefined && { commandId }) }),
        ),
      ),
    );
  }

  @Post(':name/resume')
  @OperatorEndpoint(PROCESSOR_ENDPOINTS.resume)
  async resume(@Req() request: ApiRequest, @Param('name') name: string): Promise<Answer> {
    const asked = await requestBody(request, ResumeProcessorDto, { mayBeEmpty: true });
    const { reason } = asked.body;
    const turn = { actor: operatorActor(request), traceId: request.traceId };
    return this.kept.once(request, asked, async (commandId) =>
      known(
        await this.commands.execute(
          new ResumeProcessor(name, {
            ...turn,
            ...(reason !== undefined && { reason }),
            ...(commandId !== undefined && { commandId }),
          }),
        ),
      ),
    );
  }
}

/** @throws ApiError 404 */
function known(status: ProcessorStatus | undefined): ProcessorState {
  if (!status) throw notFound('There is no such processor.');
  return shown(status);
}

function shown({ name, state, stopped }: ProcessorStatus): ProcessorState {
  return { name, state, ...(stopped && { stopped: { ...stopped } }) };
}
