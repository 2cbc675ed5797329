import { Inject, type Type } from '@nestjs/common';
import { Command, Query } from '@nestjs/cqrs';
import type { Part } from './api.parts.js';

/* Commands, queries and handlers of endpoints that call one method of a use case. */

// A method of any parameters.
type Method = (...args: never[]) => unknown;
type Result<Called extends Method> = Awaited<ReturnType<Called>>;

/** A command with the arguments of a use case's method. */
export abstract class CommandOf<Called extends Method> extends Command<Result<Called>> {
  readonly args: Parameters<Called>;

  constructor(...args: Parameters<Called>) {
    super();
    this.args = args;
  }
}

/** A query with the arguments of a use case's method. */
export abstract class QueryOf<Called extends Method> extends Query<Result<Called>> {
  readonly args: Parameters<Called>;

  constructor(...args: Parameters<Called>) {
    super();
    this.args = args;
  }
}

export interface Handler<Called> {
  execute(message: {
    readonly args: Called extends Method ? Parameters<Called> : never;
  }): Promise<Called extends Method ? Result<Called> : never>;
}

/** The base class of a handler that calls the method `name` of `part`, with the arguments of its command or query. */
export function handlerOf<UseCase extends object, Name extends keyof UseCase & string>(
  part: Part<UseCase>,
  name: Name,
): Type<Handler<UseCase[Name]>> {
  class UseCaseHandler {
    constructor(@Inject(part) private readonly useCase: Readonly<Record<string, Method>>) {}

    async execute({ args }: { readonly args: readonly unknown[] }): Promise<unknown> {
      return this.useCase[name]?.(...(args as never[]));
    }
  }
  return UseCaseHandler as Type<Handler<UseCase[Name]>>;
}
