import { Body, Controller, Get, Param, Post, Query } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import type { ListPage, ProcessorState } from '@tillstream/contracts';
import type { ProcessorStatus } from '@tillstream/platform';
import { Operator, type OperatorRequest } from '../../access/request.decorators.js';
import { notFound } from '../../http/api.error.js';
import { OperatorApi } from '../../http/endpoint.decorators.js';
import { INDEX, listQuery } from '../../validation/list.query.js';
import { ResumeProcessorDto, StopProcessorDto } from './processors.dto.js';
import { ListProcessors, ResumeProcessor, StopProcessor } from './processors.handlers.js';
import { PROCESSOR_ENDPOINTS } from './processors.docs.js';

export class ProcessorListQuery extends listQuery({ boundTo: () => 'processors', place: INDEX }) {}

/** Shows whether payments are sent to a processor; an operator stops and resumes the sending. */
@ApiTags('Processors')
@Controller('admin/v1/processors')
@OperatorApi(PROCESSOR_ENDPOINTS)
export class ProcessorsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Get()
  async list(@Query() query: ProcessorListQuery): Promise<ListPage<ProcessorState>> {
    return query.slice(await this.queries.execute(new ListProcessors()), shown);
  }

  /** Within 2 s no instance sends anything new to it. */
  @Post(':name/stop')
  async stop(
    @Operator() operator: OperatorRequest,
    @Param('name') name: string,
    @Body() { reason }: StopProcessorDto,
  ): Promise<ProcessorState> {
    return known(await this.commands.execute(new StopProcessor(name, { ...operator, reason })));
  }

  @Post(':name/resume')
  async resume(
    @Operator() operator: OperatorRequest,
    @Param('name') name: string,
    @Body() { reason }: ResumeProcessorDto,
  ): Promise<ProcessorState> {
    const turn = { ...operator, ...(reason !== undefined && { reason }) };
    return known(await this.commands.execute(new ResumeProcessor(name, turn)));
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
