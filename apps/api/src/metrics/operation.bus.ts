import { Inject, Injectable } from '@nestjs/common';
import { Command, CommandBus } from '@nestjs/cqrs';
import type { Adapters, Observability } from '@tillstream/platform';
import { ADAPTERS } from '../api.parts.js';

/** A command that starts an operation: a payment's, or a stored card's. */
export abstract class OperationCommand<Result> extends Command<Result> {
  /**
   * @param type of the operation, in metrics (`docs/spec/service.md#metrics`)
   * @param span the name of its step in traces
   */
  constructor(
    readonly type: string,
    readonly span: string,
  ) {
    super();
  }
}

/** The command bus for operations: counts their results, and makes each a step of its request's trace. */
@Injectable()
export class OperationBus {
  private readonly observability: Observability;

  constructor(
    private readonly commands: CommandBus,
    @Inject(ADAPTERS) { observability }: Adapters,
  ) {
    this.observability = observability;
  }

  execute<Result>(command: OperationCommand<Result>): Promise<Result> {
    return this.observability.operation(command, () => this.commands.execute<Result>(command));
  }
}
