import { Inject, type Type } from '@nestjs/common';
import { Command, CommandHandler, Query, QueryHandler } from '@nestjs/cqrs';
import type { Adapters, Observability } from '@tillstream/platform';
import { ADAPTERS, type Part } from './api.parts.js';

/*
 * Commands and queries that call one method of a use case, with their handlers:
 * `class Capture extends commandOf(PAYMENTS, 'capture') {}` is executed by `payments.capture(…)`, with the arguments of
 * `new Capture(…)`. A module provides `handlersOf` its commands and queries.
 */

type UseCase<Name extends string> = Readonly<Record<Name, (...args: never[]) => Promise<unknown>>>;

interface WithHandler {
  readonly handler: Type;
}

export interface CommandClass<Called extends UseCase<Name>, Name extends string> extends WithHandler {
  new (...args: Parameters<Called[Name]>): Command<Awaited<ReturnType<Called[Name]>>>;
}

export interface QueryClass<Called extends UseCase<Name>, Name extends string> extends WithHandler {
  new (...args: Parameters<Called[Name]>): Query<Awaited<ReturnType<Called[Name]>>>;
}

/** `operation`: on a command that starts one, its type in metrics. The method's name is its step in traces. */
export function commandOf<Name extends string, Called extends UseCase<Name>>(
  part: Part<Called>,
  method: Name,
  operation?: string,
): CommandClass<Called, Name> {
  const command = messageOf(Command, handlerOf(part, method, operation));
  CommandHandler(command)(command.handler);
  return command as unknown as CommandClass<Called, Name>;
}

export function queryOf<Name extends string, Called extends UseCase<Name>>(
  part: Part<Called> | Type<Called>,
  method: Name,
): QueryClass<Called, Name> {
  const query = messageOf(Query, handlerOf(part, method));
  QueryHandler(query)(query.handler);
  return query as unknown as QueryClass<Called, Name>;
}

/** The handlers of a file of commands and queries. */
export function handlersOf(messages: Readonly<Record<string, WithHandler>>): readonly Type[] {
  return Object.values(messages).map(({ handler }) => handler);
}

function messageOf(Base: Type<object>, handler: Type) {
  return class UseCaseMessage extends Base {
    static readonly handler = handler;
    readonly args: readonly unknown[];

    constructor(...args: readonly unknown[]) {
      super();
      this.args = args;
    }
  };
}

function handlerOf<Name extends string>(
  part: Part<UseCase<Name>> | Type<UseCase<Name>>,
  method: Name,
  type?: string,
): Type {
  const observed = type === undefined ? undefined : { type, span: method };
  class UseCaseHandler {
    private readonly observability: Observability;

    constructor(
      @Inject(part) private readonly useCase: UseCase<Name>,
      @Inject(ADAPTERS) { observability }: Adapters,
    ) {
      this.observability = observability;
    }

    execute({ args }: { readonly args: never[] }): Promise<unknown> {
      const run = (): Promise<unknown> => this.useCase[method](...args);
      return observed ? this.observability.operation(observed, run) : run();
    }
  }
  return UseCaseHandler;
}
