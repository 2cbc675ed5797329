import 'reflect-metadata';
import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { CommandBus, type ICommand } from '@nestjs/cqrs';
import type { Adapters, Observability, ObservedOperation } from '@tillstream/platform';
import { ADAPTERS } from '../api.parts.js';

const OBSERVED = Symbol('observed operation');

/** On a command that starts an operation: how metrics count it, and the name of its step in traces. */
export const Observed =
  (operation: ObservedOperation): ClassDecorator =>
  (command) =>
    Reflect.defineMetadata(OBSERVED, operation, command);

/** Counts and traces the commands with `@Observed`. The bus has no hook around the execution of a command. */
@Injectable()
export class CommandObserver implements OnModuleInit {
  private readonly observability: Observability;

  constructor(
    private readonly bus: CommandBus,
    @Inject(ADAPTERS) { observability }: Adapters,
  ) {
    this.observability = observability;
  }

  onModuleInit(): void {
    const execute = this.bus.execute.bind(this.bus);
    this.bus.execute = <Command extends ICommand, Result>(command: Command): Promise<Result> => {
      const operation = Reflect.getMetadata(OBSERVED, command.constructor) as ObservedOperation | undefined;
      const run = (): Promise<Result> => execute<Command, Result>(command);
      return operation ? this.observability.operation(operation, run) : run();
    };
  }
}
