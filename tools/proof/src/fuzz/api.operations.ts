import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { FuzzFixture } from './fuzz.fixture.js';
import { ApiClient } from '../support/api.client.js';

export type Schema = Readonly<Record<string, unknown>>;

export interface FuzzParameter {
  readonly name: string;
  readonly in: string;
  readonly schema?: Schema;
}

/** A call of the API, from its OpenAPI description or from KNOWN. */
export interface FuzzOperation {
  readonly forOperators: boolean;
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** With parameters in braces. */
  readonly path: string;
  readonly query: readonly FuzzParameter[];
  /** Absent if the call has no body or no description. */
  readonly body?: Schema;
  readonly examples: readonly Readonly<Record<string, unknown>>[];
  /** Root of the schema references. */
  readonly document: Schema;
  /** Validates a body by the description, with null as omitted. Undefined without a description. */
  readonly isRight?: (body: unknown) => boolean;
}

interface Described {
  readonly paths: Readonly<Record<string, Readonly<Record<string, DescribedOperation>>>>;
  readonly components: Schema;
}
interface DescribedOperation {
  readonly parameters?: readonly Schema[];
  readonly requestBody?: {
    readonly content: Readonly<
      Record<
        string,
        { readonly schema: Schema; readonly examples?: Readonly<Record<string, { readonly value: object }>> }
      >
    >;
  };
}

/** Calls to use without a description, and without rules for their bodies. */
const KNOWN: readonly string[] = [
  ...['physical-sale', 'physical-auth', 'unreferenced-physical-refund', 'token-sale', 'token-auth'].map(
    (name) => `POST /v1/transactions/${name}`,
  ),
  ...['capture', 'refund', 'void'].map((name) => `POST /v1/transactions/${name}`),
  'GET /v1/transactions',
  'GET /v1/transactions/{id}',
  'GET /v1/transactions/{id}/events',
  'GET /v1/payment-methods',
  'POST /v1/payment-methods/physical',
  'PUT /v1/payment-methods/token/{id}',
  'DELETE /v1/payment-methods/token/{id}',
  'GET /v1/payment-methods/account-holder/{id}',
  'POST /v1/account-holders',
  'GET /v1/account-holders',
  'PUT /v1/account-holders/{id}',
  'POST /admin/v1/merchants',
  'GET /admin/v1/merchants',
  'PUT /admin/v1/merchants/{id}',
  'POST /admin/v1/merchants/{merchantId}/api-keys',
  'POST /admin/v1/merchants/{merchantId}/terminals',
  'POST /admin/v1/merchants/{merchantId}/forms',
  'PUT /admin/v1/payment-methods/{id}',
  'POST /admin/v1/unknown-outcomes/{transactionId}/resolve',
  'POST /admin/v1/sandbox/clock',
  'PUT /admin/v1/sandbox/terminals/{id}',
];

const DOCUMENTS = { '/v1': '/openapi.json', '/admin/v1': '/admin/v1/openapi.json' } as const;

/** Returns in `missing` a complaint for each description that could not be read. */
export async function readOperations({ origin, adminKey }: FuzzFixture): Promise<{
  readonly operations: readonly FuzzOperation[];
  readonly missing: readonly string[];
}> {
  const calls = new ApiClient({ apiKey: '', adminKey });
  const operations: FuzzOperation[] = [];
  const missing: string[] = [];
  for (const [base, path] of Object.entries(DOCUMENTS)) {
    const response = await calls.send(origin, 'GET', path);
    if (response?.status === 200)
      operations.push(...describedOperations(base, JSON.parse(response.text) as Described));
    else
      missing.push(
        `${path} was answered ${response?.status ?? 'by nobody'}: its operations are tried without rules`,
      );
  }
  const runProof = new Set(operations.map(({ forOperators }) => forOperators));
  return {
    operations: [...operations, ...knownOperations().filter((one) => !runProof.has(one.forOperators))],
    missing,
  };
}

function knownOperations(): readonly FuzzOperation[] {
  return KNOWN.map((line) => {
    const [method = '', path = ''] = line.split(' ');
    return {
      forOperators: path.startsWith('/admin'),
      method: method as FuzzOperation['method'],
      path,
      query: [],
      examples: [],
      document: {},
    };
  });
}

function describedOperations(base: string, document: Described): readonly FuzzOperation[] {
  const ajv = new Ajv2020({ strict: false, logger: false });
  addFormats.default(ajv);
  ajv.addSchema(document, 'document');
  const found: FuzzOperation[] = [];
  for (const [path, methods] of Object.entries(document.paths)) {
    // These paths need no key and have no parameters.
    if (/^\/(health|metrics)/.test(path)) continue;
    for (const [method, operation] of Object.entries(methods)) {
      if (!['get', 'post', 'put', 'delete'].includes(method)) continue;
      const content = operation.requestBody?.content['application/json'];
      const at = `document#/paths/${pointer(path)}/${method}/requestBody/content/application~1json/schema`;
      const isValid = content && ajv.compile({ $ref: at });
      found.push({
        forOperators: base === '/admin/v1',
        method: method.toUpperCase() as FuzzOperation['method'],
        path: base + path,
        query: (operation.parameters ?? [])
          .map((one) => resolved(one, document) as unknown as FuzzParameter)
          .filter((one) => one.in === 'query'),
        ...(content && { body: content.schema }),
        examples: Object.values(content?.examples ?? {}).map(
          ({ value }) => value as Readonly<Record<string, unknown>>,
        ),
        document: document as unknown as Schema,
        ...(isValid && { isRight: (body: unknown) => isValid(withoutNull(body)) }),
      });
    }
  }
  return found;
}

const pointer = (text: string): string =>
  encodeURIComponent(text.replaceAll('~', '~0').replaceAll('/', '~1')).replaceAll('%7E', '~');

/** Resolves a `$ref`; properties beside it are kept. */
export function resolved(schema: Schema, document: Schema | Described): Schema {
  const { $ref: reference, ...beside } = schema;
  if (typeof reference !== 'string') return schema;
  const found = reference
    .slice(2)
    .split('/')
    .reduce<unknown>((at, name) => (at as Schema)[name], document);
  return { ...resolved(found as Schema, document), ...beside };
}

/** `null` counts as omitted (`docs/spec/README.md#values`). Deep nesting is left: no schema allows it. */
function withoutNull(value: unknown, depth = 0): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value) || depth > 10) return value;
  const withValues: Record<string, unknown> = Object.create(null) as Record<string, unknown>;
  for (const [name, one] of Object.entries(value))
    if (one !== null) withValues[name] = withoutNull(one, depth + 1);
  return withValues;
}
