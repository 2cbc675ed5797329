import { Body, Controller, Get, Inject, Param, Post, Query } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import type { ListPage, ProcessorState } from '@tillstream/contracts';
import type { ProcessorGuards } from '@tillstream/platform';
import { Operator, type OperatorRequest } from '../../access/caller.js';
import { PROCESSORS } from '../../api.parts.js';
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
    @Inject(PROCESSORS) private readonly processors: ProcessorGuards,
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
    return this.commands.execute(new StopProcessor(this.known(name), { ...operator, reason }));
  }

  @Post(':name/resume')
  async resumeProcessor(
    @Operator() operator: OperatorRequest,
    @Param('name') name: string,
    @Body() { reason }: ResumeProcessorDto,
  ): Promise<ProcessorState> {
    return this.commands.execute(new ResumeProcessor(this.known(name), { ...operator, reason }));
  }

  private known(name: string): string {
    if (!this.processors.has(name)) throw notFound('There is no such processor.');
    return name;
  }
}
