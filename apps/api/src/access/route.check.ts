import { Inject, Injectable, RequestMethod, type OnModuleInit } from '@nestjs/common';
import { MetadataScanner, ModulesContainer } from '@nestjs/core';
import { isStrict, takesBody } from '../http/endpoint.decorators.js';
import { admittedTo } from './callers.js';
import { CREDENTIALS } from './caller.guard.js';
import type { Credential } from './credential.js';

/* Where Nest keeps what `@Get` and its like say. */
const PATH = 'path';
const METHOD = 'method';

/**
 * Stops the start of a service in which a route does not name its callers, names a kind without a credential, or writes
 * and takes no body, because the sent body would not be validated.
 */
@Injectable()
export class RouteCheck implements OnModuleInit {
  constructor(
    private readonly modules: ModulesContainer,
    @Inject(CREDENTIALS) private readonly credentials: readonly Credential[],
  ) {}

  onModuleInit(): void {
    const known = new Set(['Anyone', ...this.credentials.map(({ kind }) => kind)]);
    for (const { handler, controller } of this.routes()) {
      const admitted: readonly string[] = admittedTo(handler, controller) ?? [];
      const place = `${controller.name}.${handler.name}`;
      if (isStrict(controller) && writes(handler) && !takesBody(controller, handler.name))
        throw new Error(`${place} writes and does not validate its body: add @Body() with a DTO class`);
      if (admitted.length === 0) throw new Error(`${place} does not say who may call it: add @Callers(…)`);
      const unknown = admitted.find((kind) => !known.has(kind));
      if (unknown !== undefined) throw new Error(`${place} admits ${unknown}, which has no credential`);
    }
  }

  /** Every method of every controller that has a path. */
  routes(): readonly Route[] {
    const scanner = new MetadataScanner();
    return [...this.modules.values()].flatMap(({ controllers }) =>
      [...controllers.values()].flatMap(({ metatype }) => {
        const controller = metatype as Route['controller'];
        const prototype = controller.prototype as Readonly<Record<string, Route['handler']>>;
        const methods = scanner.getAllMethodNames(prototype).flatMap((name) => prototype[name] ?? []);
        return methods
          .filter((method) => Reflect.hasMetadata(PATH, method))
          .map((handler) => ({ handler, controller }));
      }),
    );
  }
}

function writes(handler: object): boolean {
  return Reflect.getMetadata(METHOD, handler) !== RequestMethod.GET;
}

interface Route {
  readonly handler: (...given: readonly unknown[]) => unknown;
  readonly controller: { readonly name: string; readonly prototype: object };
}
