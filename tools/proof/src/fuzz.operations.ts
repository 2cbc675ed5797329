import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { FuzzWorld } from './fuzz.world.js';
import { MerchantCalls } from './merchant.calls.js';

export type Schema = Readonly<Record<string, unknown>>;

export interface FuzzParameter {
  readonly name: string;
  readonly in: string;
  readonly schema?: Schema;
}

/** One call of the interface, as its description has it, or as far as this file knows it. */
export interface FuzzOperation {
  readonly forOperators: boolean;
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** From the origin on, with parameters in braces. */
  readonly path: string;
  readonly query: readonly FuzzParameter[];
  /** Left out: it reads none, or nobody described it. */
  readonly body?: Schema;
  readonly examples: readonly Readonly<Record<string, unknown>>[];
  /** References of schemas start here. */
  readonly document: Schema;
  /** By the description, and with null as omitted; undefined where nobody described it. */
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

/** What is tried where the service has no description: every path that takes something, without its rules. */
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

/** `missingKeyError`: a complaint for each description that could not be had. */
export async function operationsOf({ origin, adminKey }: FuzzWorld): Promise<{
  readonly operations: readonly FuzzOperation[];
  readonly missing: readonly string[];
}> {
  const calls = new MerchantCalls({ apiKey: '', adminKey });
  const operations: FuzzOperation[] = [];
  const missing: string[] = [];
  for (const [base, path] of Object.entries(DOCUMENTS)) {
    const reply = await calls.send(origin, 'GET', path);
    if (reply?.status === 200) operations.push(...described(base, JSON.parse(reply.text) as Described));
    else
      missing.push(
        `${path} was answered ${reply?.status ?? 'by nobody'}: its operations are tried without rules`,
      );
  }
  const tried = new Set(operations.map(({ forOperators }) => forOperators));
  return { operations: [...operations, ...known().filter((one) => !tried.has(one.forOperators))], missing };
}

function known(): readonly FuzzOperation[] {
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

function described(base: string, document: Described): readonly FuzzOperation[] {
  const ajv = new Ajv2020({ strict: false, logger: false });
  addFormats.default(ajv);
  ajv.addSchema(document, 'document');
  const found: FuzzOperation[] = [];
  for (const [path, methods] of Object.entries(document.paths)) {
    // Beside the API: nobody is asked for a key there, and nothing is taken.
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

/** The schema itself, where it is only named; what stands beside the name is kept. */
export function resolved(schema: Schema, document: Schema | Described): Schema {
  const { $ref: reference, ...beside } = schema;
  if (typeof reference !== 'string') return schema;
  const found = reference
    .slice(2)
    .split('/')
    .reduce<unknown>((at, name) => (at as Schema)[name], document);
  return { ...resolved(found as Schema, document), ...beside };
}

/** `null` counts as omitted (`docs/spec/README.md#values`). Deep nesting is left as it is: no rule allows it. */
function withoutNull(value: unknown, depth = 0): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value) || depth > 10) return value;
  const kept: Record<string, unknown> = Object.create(null) as Record<string, unknown>;
  for (const [name, one] of Object.entries(value)) if (one !== null) kept[name] = withoutNull(one, depth + 1);
  return kept;
}
