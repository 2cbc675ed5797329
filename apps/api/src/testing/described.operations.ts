import type { JsonSchema } from '../validation/json.schema.js';
import type { OpenApiDocument } from '../openapi/published.document.js';

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required?: boolean;
  readonly schema: JsonSchema;
  readonly example?: unknown;
}

/** One operation of a document, to make requests from: every reference in it is resolved. */
export interface Operation {
  readonly operationId: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** With its parameters in braces: `/v1/transactions/{id}`. */
  readonly path: string;
  readonly needsKey: boolean;
  readonly parameters: readonly Parameter[];
  /** Undefined: it takes no body. */
  readonly body: OperationBody | undefined;
  /** By status. */
  readonly answers: Readonly<Record<string, OperationAnswer>>;
}

export interface OperationBody {
  readonly required: boolean;
  readonly schema: JsonSchema;
  readonly examples: Readonly<Record<string, { readonly value: object }>>;
}

export interface OperationAnswer {
  /** By media type. */
  readonly content: Readonly<Record<string, AnswerContent>>;
  readonly headers: Readonly<Record<string, { readonly required: boolean; readonly schema: JsonSchema }>>;
}

export interface AnswerContent {
  readonly schema: JsonSchema;
  readonly example?: unknown;
}

interface WrittenOperation {
  readonly operationId: string;
  readonly security: readonly object[];
  readonly parameters: readonly Parameter[];
  readonly requestBody?: {
    readonly required: boolean;
    readonly content: Readonly<Record<string, Omit<OperationBody, 'required'>>>;
  };
  readonly responses: Readonly<Record<string, OperationAnswer>>;
}

const METHODS = ['get', 'post', 'put', 'delete'] as const;
const JSON_TYPE = 'application/json';

/** All operations of a document. */
export function operationsOf(document: OpenApiDocument): readonly Operation[] {
  return placesOf(document).map(({ operation }) => operation());
}

/** Where an operation is. It is read on demand: resolving its references takes time. */
export interface OperationPlace extends Pick<Operation, 'method' | 'path'> {
  operation(): Operation;
}

/** None of the schemas of a document contains itself, so that all can be written out. */
export function placesOf(document: OpenApiDocument): readonly OperationPlace[] {
  return Object.entries(document.paths).flatMap(([below, item]) =>
    METHODS.flatMap((method) => {
      const written = item[method];
      if (written === undefined) return [];
      const path = baseOf(document, item) + below;
      const operation = () => operationOf(resolved(written, document) as WrittenOperation, method, path);
      return [{ method: method.toUpperCase() as Operation['method'], path, operation }];
    }),
  );
}

function operationOf(
  { operationId, security, parameters, requestBody, responses }: WrittenOperation,
  method: (typeof METHODS)[number],
  path: string,
): Operation {
  const content = requestBody?.content[JSON_TYPE];
  return {
    operationId,
    method: method.toUpperCase() as Operation['method'],
    path,
    needsKey: security.length > 0,
    parameters,
    body: requestBody && content && { ...content, required: requestBody.required },
    answers: responses,
  };
}

/** The path of the address that an item's paths are relative to. */
function baseOf({ servers }: OpenApiDocument, item: Readonly<Record<string, unknown>>): string {
  const [server] = (item.servers ?? servers) as OpenApiDocument['servers'];
  const { pathname } = new URL(server?.url ?? '');
  return pathname === '/' ? '' : pathname;
}

function resolved(part: unknown, document: OpenApiDocument): unknown {
  if (Array.isArray(part)) return part.map((one) => resolved(one, document));
  if (typeof part !== 'object' || part === null) return part;
  const { $ref: reference, ...beside } = part as Readonly<Record<string, unknown>>;
  const target =
    typeof reference === 'string' ? (resolved(found(reference, document), document) as object) : {};
  return {
    ...target,
    ...Object.fromEntries(Object.entries(beside).map(([name, value]) => [name, resolved(value, document)])),
  };
}

function found(reference: string, document: OpenApiDocument): unknown {
  const names = reference.replace(/^#\//, '').split('/');
  return names.reduce<unknown>(
    (part, name) => (part as Readonly<Record<string, unknown>> | undefined)?.[name],
    document,
  );
}
