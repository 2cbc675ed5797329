import type { JsonSchema } from '../validation/json.schema.js';
import type { ListText, PathParameter } from './parameters.js';
import type { RequestSchema } from './request.schema.js';
import type { ControllerClass } from './routes.js';

/** What a person says of an operation; the rest follows from its route, its body and whose it is. */
export interface OperationText {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  /** By name in the path. */
  readonly path?: Readonly<Record<string, PathParameter>>;
  readonly list?: ListText;
  readonly body?: BodyText;
  readonly answer: AnswerText;
  /** Codes that come from what the service knows, besides those that the request alone decides. */
  readonly refusals?: Refusals;
  /** Answers that are no error and no success either, by status. */
  readonly otherAnswers?: Readonly<Record<number, AnswerText>>;
}

export interface Refusals {
  readonly 400?: readonly number[];
  readonly 404?: readonly number[];
  readonly 409?: readonly number[];
}

export interface BodyText {
  readonly schema: RequestSchema;
  /** Empty counts as `{}`. */
  readonly mayBeEmpty?: boolean;
  readonly examples: Readonly<Record<string, ExampleText>>;
}

export interface ExampleText {
  readonly summary: string;
  readonly value: object;
}

export interface AnswerText {
  readonly description: string;
  readonly schema: JsonSchema;
  readonly example: object | string;
  /** Left out: JSON. */
  readonly mediaType?: string;
}

export interface PathsText {
  readonly controller: ControllerClass;
  readonly tag: string;
  /** By the name of the controller's method. */
  readonly operations: Readonly<Record<string, OperationText>>;
}

/** All operations of a controller: one that is not described does not compile. */
export function pathsOf<Controller extends object>(
  controller: abstract new (...parts: never[]) => Controller,
  tag: string,
  operations: Readonly<Record<keyof Controller & string, OperationText>>,
): PathsText {
  return { controller, tag, operations };
}
