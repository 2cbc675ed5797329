import { Inject } from '@nestjs/common';
import {
  Command,
  CommandHandler,
  Query,
  QueryHandler,
  type ICommandHandler,
  type IQueryHandler,
} from '@nestjs/cqrs';
import type { SwitchChange } from '@tillstream/payments';
import type { Adapters, ProcessorGuards, ProcessorStatus } from '@tillstream/platform';
import { ADAPTERS } from '../../api.parts.js';

export class ListProcessors extends Query<readonly ProcessorStatus[]> {}

/** Its result is the processor in its new state; undefined: there is none of this name. */
export class StopProcessor extends Command<ProcessorStatus | undefined> {
  constructor(
    readonly name: string,
    readonly turn: SwitchChange & { readonly reason: string },
  ) {
    super();
  }
}

/** As `StopProcessor`. */
export class ResumeProcessor extends Command<ProcessorStatus | undefined> {
  constructor(
    readonly name: string,
    readonly turn: SwitchChange,
  ) {
    super();
  }
}

@QueryHandler(ListProcessors)
export class ListProcessorsHandler implements IQueryHandler<ListProcessors> {
  private readonly processors: ProcessorGuards;

  constructor(@Inject(ADAPTERS) { processors }: Adapters) {
    this.processors = processors;
  }

  execute(): Promise<readonly ProcessorStatus[]> {
    return this.processors.status();
  }
}

@CommandHandler(StopProcessor)
export class StopProcessorHandler implements ICommandHandler<StopProcessor> {
  private readonly processors: ProcessorGuards;

  constructor(@Inject(ADAPTERS) { processors }: Adapters) {
    this.processors = processors;
  }

  async execute({ name, turn }: StopProcessor): Promise<ProcessorStatus | undefined> {
    return this.processors.has(name) ? this.processors.stop(name, turn) : undefined;
  }
}

@CommandHandler(ResumeProcessor)
export class ResumeProcessorHandler implements ICommandHandler<ResumeProcessor> {
  private readonly processors: ProcessorGuards;

  constructor(@Inject(ADAPTERS) { processors }: Adapters) {
    this.processors = processors;
  }

  async execute({ name, turn }: ResumeProcessor): Promise<ProcessorStatus | undefined> {
    return this.processors.has(name) ? this.processors.resume(name, turn) : undefined;
  }
}

export const PROCESSOR_HANDLERS = [ListProcessorsHandler, StopProcessorHandler, ResumeProcessorHandler];
