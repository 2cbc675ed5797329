import { Body, Controller, Get, Param, Post, Query } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import type { ListPage, ProcessorState } from '@tillstream/contracts';
import { Operator, type OperatorRequest } from '../../access/caller.js';
import { notFound } from '../../http/api.error.js';
import { OperatorApi } from '../../http/endpoint.decorators.js';
import { INDEX, listQuery } from '../../validation/list.query.js';
import { ResumeProcessorDto, StopProcessorDto } from './processors.dto.js';
import { ListProcessors, ResumeProcessor, StopProcessor } from './processors.handlers.js';
import { PROCESSOR_ENDPOINTS } from './processors.docs.js';

class ProcessorListQuery extends listQuery({ boundTo: () => 'processors', place: INDEX }) {}

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
  async listProcessors(@Query() query: ProcessorListQuery): Promise<ListPage<ProcessorState>> {
    return query.slice(await this.queries.execute(new ListProcessors()));
  }

  /** Within 2 s no instance sends anything new to it. */
  @Post(':name/stop')
  async stopProcessor(
    @Operator() operator: OperatorRequest,
    @Param('name') name: string,
    @Body() { reason }: StopProcessorDto,
  ): Promise<ProcessorState> {
    return found(await this.commands.execute(new StopProcessor(name, { ...operator, reason })));
  }

  @Post(':name/resume')
  async resumeProcessor(
    @Operator() operator: OperatorRequest,
    @Param('name') name: string,
    @Body() { reason }: ResumeProcessorDto,
  ): Promise<ProcessorState> {
    return found(await this.commands.execute(new ResumeProcessor(name, { ...operator, reason })));
  }
}

function found(processor: ProcessorState | undefined): ProcessorState {
  if (!processor) throw notFound('There is no such processor.');
  return processor;
}
