import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { ApiClient, describeResponse, type Method } from '../support/api.client.js';
import type { FuzzFixture } from './fuzz.fixture.js';

export type Schema = Readonly<Record<string, unknown>>;

export interface FuzzParameter {
  readonly name: string;
  readonly in: string;
  readonly schema?: Schema;
}

/** A call of the API by its OpenAPI description. */
export interface FuzzOperation {
  readonly forOperators: boolean;
  readonly method: Method;
  /** With parameters in braces. */
  readonly path: string;
  readonly query: readonly FuzzParameter[];
  /** Absent if the call has no body. */
  readonly body?: Schema;
  readonly examples: readonly Readonly<Record<string, unknown>>[];
  /** Root of the schema references. */
  readonly document: Schema;
  /** Validates a body by the description, with null as omitted. */
  readonly isRight: (body: object) => boolean;
}

interface Described {
  readonly paths: Readonly<Record<string, Readonly<Record<string, DescribedOperation>>>>;
}
interface DescribedOperation {
  readonly parameters?: readonly Schema[];
  readonly requestBody?: { readonly content: Readonly<Record<string, DescribedBody>> };
}
interface DescribedBody {
  readonly schema: Schema;
  readonly examples?: Readonly<Record<string, { readonly value: Readonly<Record<string, unknown>> }>>;
}

const DOCUMENTS = { '/v1': '/openapi.json', '/admin/v1': '/admin/v1/openapi.json' } as const;

/** Reads the calls of the API from its descriptions. */
export async function readOperations({ origin, adminKey }: FuzzFixture): Promise<readonly FuzzOperation[]> {
  const client = new ApiClient({ apiKey: '', adminKey });
  const operations: FuzzOperation[] = [];
  for (const [base, path] of Object.entries(DOCUMENTS)) {
    const response = await client.send(origin, 'GET', path);
    if (response?.status !== 200) throw new Error(`${path}: ${describeResponse(response)}`);
    operations.push(...describedOperations(base, JSON.parse(response.text) as Described));
  }
  return operations;
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
        method: method.toUpperCase() as Method,
        path: base + path,
        query: (operation.parameters ?? [])
          .map((one) => resolved(one, document) as unknown as FuzzParameter)
          .filter((one) => one.in === 'query'),
        ...(content && { body: content.schema }),
        examples: Object.values(content?.examples ?? {}).map(({ value }) => value),
        document: document as unknown as Schema,
        // A call without a body ignores what it does not know, but not a card number.
        isRight: (body) => (isValid ? isValid(withoutNull(body)) : !Object.hasOwn(body, 'cardNumber')),
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
  const members = Object.entries(value).filter(([, one]) => one !== null);
  return Object.fromEntries(members.map(([name, one]) => [name, withoutNull(one, depth + 1)]));
}

/** The header with the key of the caller. */
export function keyHeader({ forOperators }: FuzzOperation, { adminKey, own }: FuzzFixture): [string, string] {
  return ['x-api-key', forOperators ? adminKey : own.apiKey];
}

/** Fills in ids that exist; operators' calls get those of the spare merchant. */
export function targetPath({ path }: FuzzOperation, { own, spare }: FuzzFixture): string {
  return path.replace(/\{(\w+)\}/g, (_braces, name: string) => {
    if (path.includes('/merchants/')) return name === 'keyId' ? spare.keyId : spare.merchantId;
    if (path.startsWith('/admin/v1/payment-methods/')) return spare.form;
    if (path.includes('/terminals/')) return spare.terminal;
    if (path.includes('/unknown-outcomes/')) return own.sale;
    if (path.includes('/processors/')) return 'sandbox';
    if (path.includes('/projections/')) return 'transactions';
    if (path.includes('/token/')) return own.token;
    if (path.includes('/account-holder')) return own.holder;
    return own.sale;
  });
}
