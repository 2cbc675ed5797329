import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { MetadataScanner, ModulesContainer } from '@nestjs/core';
import { admittedTo } from './callers.js';
import { CREDENTIALS } from './caller.guard.js';
import type { Credential } from './credential.js';

/** Where Nest keeps the path that `@Get` and its like name. */
const PATH = 'path';

/** Ends the start of a service in which a route does not say who may call it, or names a kind that has no credential. */
@Injectable()
export class RouteCallersCheck implements OnModuleInit {
  constructor(
    private readonly modules: ModulesContainer,
    @Inject(CREDENTIALS) private readonly credentials: readonly Credential[],
  ) {}

  onModuleInit(): void {
    const known = new Set(['Anyone', ...this.credentials.map(({ kind }) => kind)]);
    for (const { handler, controller } of this.routes()) {
      const admitted: readonly string[] = admittedTo(handler, controller) ?? [];
      const place = `${controller.name}.${handler.name}`;
      if (admitted.length === 0) throw new Error(`${place} does not say who may call it: add @Callers(…)`);
      const unknown = admitted.find((kind) => !known.has(kind));
      if (unknown !== undefined) throw new Error(`${place} admits ${unknown}, which has no credential`);
    }
  }

  /** Every method of every controller that answers a path. */
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

interface Route {
  readonly handler: (...given: readonly unknown[]) => unknown;
  readonly controller: { readonly name: string; readonly prototype: object };
}
