import { Inject } from '@nestjs/common';
import {
  Command,
  CommandHandler,
  type ICommandHandler,
  Query,
  QueryHandler,
  type IQueryHandler,
} from '@nestjs/cqrs';
import type { ProcessorGuards, ProcessorStatus } from '@tillstream/platform';
import { PROCESSORS } from '../../api.parts.js';

type Stop = Parameters<ProcessorGuards['stop']>[1];
type Resumption = Parameters<ProcessorGuards['resume']>[1];

export class ListProcessors extends Query<readonly ProcessorStatus[]> {}

@QueryHandler(ListProcessors)
export class ListProcessorsHandler implements IQueryHandler<ListProcessors> {
  constructor(@Inject(PROCESSORS) private readonly processors: ProcessorGuards) {}

  execute(): Promise<readonly ProcessorStatus[]> {
    return this.processors.status();
  }
}

/** Undefined: there is no such processor. */
export class StopProcessor extends Command<ProcessorStatus | undefined> {
  constructor(
    readonly name: string,
    readonly turn: Stop,
  ) {
    super();
  }
}

@CommandHandler(StopProcessor)
export class StopProcessorHandler implements ICommandHandler<StopProcessor> {
  constructor(@Inject(PROCESSORS) private readonly processors: ProcessorGuards) {}

  async execute({ name, turn }: StopProcessor): Promise<ProcessorStatus | undefined> {
    if (!this.processors.has(name)) return undefined;
    return this.processors.stop(name, turn);
  }
}

/** Undefined: there is no such processor. */
export class ResumeProcessor extends Command<ProcessorStatus | undefined> {
  constructor(
    readonly name: string,
    readonly turn: Resumption,
  ) {
    super();
  }
}

@CommandHandler(ResumeProcessor)
export class ResumeProcessorHandler implements ICommandHandler<ResumeProcessor> {
  constructor(@Inject(PROCESSORS) private readonly processors: ProcessorGuards) {}

  async execute({ name, turn }: ResumeProcessor): Promise<ProcessorStatus | undefined> {
    if (!this.processors.has(name)) return undefined;
    return this.processors.resume(name, turn);
  }
}

export const PROCESSOR_HANDLERS = [ListProcessorsHandler, StopProcessorHandler, ResumeProcessorHandler];
