import type { OpenAPIObject } from '@nestjs/swagger';
import { COMPONENT } from './component.js';

/** As JSON, with everything that it refers to. */
export interface OpenApiDocument {
  readonly openapi: string;
  readonly servers: readonly { readonly url: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly components: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly [part: string]: unknown;
}

type Fields = Readonly<Record<string, unknown>>;

/**
 * What @nestjs/swagger can't express:
 * - Its decorators take no reference to a shared parameter, header or response: a part that is marked as a component moves
 *   to `components`.
 * - It finds the schemas of all controllers: one that only the other readers' document uses is left out, and so is a tag.
 * - A reference with a description is `allOf` with one item in OpenAPI 3.0, and `$ref` with `description` in 3.1.
 * - It drops the example of a parameter: `pathParameter` gives it to the schema, and here it moves to the parameter.
 */
export function publishedDocument(document: OpenAPIObject): OpenApiDocument {
  const { components, tags = [], ...rest } = document;
  const publication = new Publication(components?.schemas ?? {});
  const published = publication.copy(rest) as Fields;
  const used = JSON.stringify([published['paths'], published['webhooks']]);
  return {
    ...published,
    tags: tags.filter(({ name }) => used.includes(`"tags":[${JSON.stringify(name)}]`)),
    components: sorted({ ...publication.components, securitySchemes: components?.securitySchemes }),
  } as unknown as OpenApiDocument;
}

class Publication {
  readonly components: Record<string, Record<string, unknown>> = {};

  constructor(private readonly schemas: Fields) {}

  copy(value: unknown): unknown {
    if (Array.isArray(value)) return value.map((one) => this.copy(one));
    if (typeof value !== 'object' || value === null) return value;
    const { [COMPONENT]: path, ...part } = value as Fields;
    if (typeof path === 'string') return this.component(path, part);
    const written = withExample(withReference(part));
    const schema = /^#\/components\/(schemas\/(\w+))$/.exec(String(written['$ref']));
    if (schema) this.component(schema[1] ?? '', this.schemas[schema[2] ?? ''] as Fields);
    const entries = Object.entries(written).filter(([, inner]) => inner !== undefined);
    return Object.fromEntries(entries.map(([name, inner]) => [name, this.copy(inner)]));
  }

  private component(path: string, value: Fields): Fields {
    const [kind = '', name = ''] = path.split('/');
    const known = (this.components[kind] ??= {});
    if (!(name in known)) {
      // Its place is taken before its own references are followed.
      known[name] = undefined;
      known[name] = this.copy(value);
    }
    return { $ref: `#/components/${path}` };
  }
}

function withReference(schema: Fields): Fields {
  const { allOf, ...beside } = schema;
  const [only, ...others] = Array.isArray(allOf) ? (allOf as readonly Fields[]) : [];
  return only && '$ref' in only && others.length === 0 ? { ...only, ...beside } : schema;
}

function withExample(part: Fields): Fields {
  const schema = part['schema'] as Fields | undefined;
  if (!('in' in part) || !schema || !('example' in schema)) return part;
  const { example, ...rest } = schema;
  return { ...part, schema: rest, example };
}

function sorted(components: object): object {
  const byName = ([a]: [string, unknown], [b]: [string, unknown]): number => (a < b ? -1 : 1);
  return Object.fromEntries(
    Object.entries(components)
      .sort(byName)
      .map(([kind, ofKind]) => [kind, Object.fromEntries(Object.entries(ofKind as object).sort(byName))]),
  );
}
