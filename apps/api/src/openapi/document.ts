import type { INestApplication } from '@nestjs/common';
import { SwaggerModule, type InfoObject, type OpenAPIObject, type PathsObject } from '@nestjs/swagger';
import { API_VERSION } from '@tillstream/contracts';
import { MERCHANTS_TEXT, OPERATORS_TEXT } from './document.texts.js';
import { ERROR_ENVELOPE } from './error.codes.js';
import { publishedDocument, type OpenApiDocument } from './published.document.js';
import { EVENT_SHAPES, webhooksObject } from './webhooks.js';

export type Readers = 'Merchants' | 'Operators';

/** Paths below these are described relative to them, as `docs/spec/endpoints.md#merchant-api` does. */
const BASE: Readonly<Record<Readers, string>> = { Merchants: '/v1', Operators: '/admin/v1' };
const TEXTS = { Merchants: MERCHANTS_TEXT, Operators: OPERATORS_TEXT };

/**
 * The description of the endpoints of an application. Operators also read about the endpoints that need no key: they run
 * the service.
 *
 * @param origin where the service listens, such as `http://localhost:3000`
 */
export function openApiDocument(readers: Readers, app: INestApplication, origin: string): OpenApiDocument {
  const { title, summary, description, tags } = TEXTS[readers];
  const base = BASE[readers];
  // `summarizeUnknown` is of OpenAPI 3.1, which the type of @nestjs/swagger does not know.
  const info: InfoObject & { summary: string } = { title, version: API_VERSION, summary, description };
  const config = {
    openapi: '3.1.1',
    info,
    servers: [{ url: origin + base, description: 'This service.' }],
    ...(readers === 'Merchants' && { webhooks: webhooksObject() }),
    components: {
      securitySchemes: {
        ApiKey: { type: 'apiKey', in: 'header', name: 'x-api-key', description: 'The key as it is.' },
        Bearer: {
          type: 'http',
          scheme: 'bearer',
          description: 'The same key as `Authorization: Bearer …`. Two different ones are refused.',
        },
      },
    },
  } satisfies Omit<OpenAPIObject, 'paths'>;
  const document = SwaggerModule.createDocument(app, config, {
    onlyIncludeDecoratedEndpoints: true,
    autoTagControllers: false,
    extraModels: [ERROR_ENVELOPE, ...EVENT_SHAPES],
  });
  const isFor = (path: string): boolean => path.startsWith('/v1/') === (readers === 'Merchants');
  const paths = Object.entries(document.paths)
    .filter(([path]) => isFor(path))
    .map(([path, item]) =>
      path.startsWith(`${base}/`)
        ? [path.slice(base.length), item]
        : [path, { servers: [{ url: origin }], ...item }],
    );
  return publishedDocument({ ...document, tags: [...tags], paths: Object.fromEntries(paths) as PathsObject });
}
