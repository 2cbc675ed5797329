import { API_VERSION } from '@tillstream/contracts';
import { audienceOf } from './audience.js';
import { assembled, component } from './component.js';
import { DESCRIBED_PATHS } from './described.paths.js';
import { MERCHANTS_TEXT, OPERATORS_TEXT } from './document.texts.js';
import { operationObject } from './operation.js';
import type { PathsText } from './operation.text.js';
import { routesOf, type ControllerClass } from './routes.js';
import { webhooksObject } from './webhooks.js';

export type Readers = 'Merchants' | 'Operators';

/** As JSON, with everything in it that it points to. */
export interface OpenApiDocument {
  readonly openapi: string;
  readonly servers: readonly { readonly url: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly components: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly [part: string]: unknown;
}

/** What is below these is described relative to them, as `docs/spec/endpoints.md#merchant-api` does. */
const BASE: Readonly<Record<Readers, string>> = { Merchants: '/v1', Operators: '/admin/v1' };
const TEXTS = { Merchants: MERCHANTS_TEXT, Operators: OPERATORS_TEXT };

const SECURITY_SCHEMES = {
  ApiKey: component('securitySchemes', 'ApiKey', {
    type: 'apiKey',
    in: 'header',
    name: 'x-api-key',
    description: 'The key as it is.',
  }),
  Bearer: component('securitySchemes', 'Bearer', {
    type: 'http',
    scheme: 'bearer',
    description: 'The same key as `Authorization: Bearer …`. Two different ones are refused.',
  }),
};

/**
 * The description of what these controllers answer. Operators read of what needs no key too: they run the service.
 *
 * @param origin where the service is, such as `http://localhost:3000`
 */
export function openApiDocument(
  readers: Readers,
  controllers: readonly ControllerClass[],
  origin: string,
): OpenApiDocument {
  const { title, summary, description, tags } = TEXTS[readers];
  const described = DESCRIBED_PATHS.filter(({ controller }) => controllers.includes(controller));
  const { paths, tags: used } = pathsOf(readers, described, origin);
  const { part, components } = assembled({
    openapi: '3.1.1',
    info: { title, version: API_VERSION, summary, description },
    servers: [{ url: origin + BASE[readers], description: 'This service.' }],
    tags: tags.filter(({ name }) => used.has(name) || (name === 'Events' && readers === 'Merchants')),
    paths,
    ...(readers === 'Merchants' && { webhooks: webhooksObject() }),
    components: { securitySchemes: SECURITY_SCHEMES },
  });
  const { components: _here, ...rest } = part as OpenApiDocument;
  return { ...rest, components: sorted(components) } as OpenApiDocument;
}

/** What these readers may call, and the tags that it has. */
function pathsOf(
  readers: Readers,
  described: readonly PathsText[],
  origin: string,
): { readonly paths: object; readonly tags: ReadonlySet<string> } {
  const base = BASE[readers];
  const paths: Record<string, Record<string, unknown>> = {};
  const tags = new Set<string>();
  for (const { controller, tag, operations } of described) {
    for (const route of routesOf(controller)) {
      const audience = audienceOf(controller, route.handler);
      if ((audience === 'Anyone' ? 'Operators' : audience) !== readers) continue;
      tags.add(tag);
      const text = operations[route.handler];
      // Found by the spec that compares the documents with the routes: no reason not to show the rest.
      if (!text) continue;
      const below = route.path.startsWith(`${base}/`);
      const path = below ? route.path.slice(base.length) : route.path;
      const item = (paths[path] ??= below ? {} : { servers: [{ url: origin }] });
      item[route.method] = operationObject(route, tag, audience, text);
    }
  }
  return { paths, tags };
}

function sorted(components: object): object {
  const byName = ([a]: [string, unknown], [b]: [string, unknown]): number => (a < b ? -1 : 1);
  return Object.fromEntries(
    Object.entries(components)
      .sort(byName)
      .map(([kind, ofKind]) => [kind, Object.fromEntries(Object.entries(ofKind as object).sort(byName))]),
  );
}
