import 'reflect-metadata';
import { RequestMethod } from '@nestjs/common';

export type ControllerClass = abstract new (...parts: never[]) => object;

export interface Route {
  /** Of the controller's method. */
  readonly handler: string;
  readonly method: 'get' | 'post' | 'put' | 'delete';
  /** With its parameters in braces: `/v1/transactions/{id}`. */
  readonly path: string;
}

/* Where Nest keeps what @Controller and @Get say. */
const PATH = 'path';
const METHOD = 'method';
const METHODS: Readonly<Partial<Record<number, Route['method']>>> = {
  [RequestMethod.GET]: 'get',
  [RequestMethod.POST]: 'post',
  [RequestMethod.PUT]: 'put',
  [RequestMethod.DELETE]: 'delete',
};

/** What a controller answers, read from its decorators. */
export function routesOf(controller: ControllerClass): readonly Route[] {
  const base = Reflect.getMetadata(PATH, controller) as string;
  const prototype = controller.prototype as object;
  return Object.getOwnPropertyNames(prototype).flatMap((handler) => {
    const answers = Reflect.get(prototype, handler) as unknown;
    if (typeof answers !== 'function' || handler === 'constructor') return [];
    const path = Reflect.getMetadata(PATH, answers) as string | undefined;
    const method = METHODS[Reflect.getMetadata(METHOD, answers) as number];
    return path === undefined || !method ? [] : [{ handler, method, path: joined(base, path) }];
  });
}

function joined(base: string, path: string): string {
  const parts = [base, path].flatMap((one) => one.split('/')).filter((part) => part !== '');
  return `/${parts.map((part) => part.replace(/^:(.*)$/, '{$1}')).join('/')}`;
}
