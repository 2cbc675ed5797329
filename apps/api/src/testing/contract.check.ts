import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { Readers } from '../openapi/document.js';
import { cachedDocument } from './cached.document.js';
import { closed } from './closed.schema.js';
import { itemsOf, readCsv } from './csv.page.js';
import {
  placesOf,
  type Operation,
  type OperationAnswer,
  type OperationPlace,
} from './described.operations.js';

/** What came of a call, as far as the description of the API speaks of it. */
interface Answered {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

interface Known {
  readonly place: OperationPlace;
  readonly form: RegExp;
}

/* Read and compiled when a test first needs them, one by one: most tests need few. */
const PLACES = new Map<Readers, Promise<readonly Known[]>>();
const OPERATIONS = new Map<OperationPlace, Operation>();
const VALIDATORS = new Map<object, ValidateFunction>();
let ajv: Ajv2020 | undefined;

/**
 * Every answer of every HTTP test is what the description of the API says: its status, its headers and its body, without
 * a field that is not described. It ignores paths that are not described; another spec finds those.
 *
 * @throws Error naming the call and what is wrong with its answer
 */
export async function checkContract(
  method: string,
  path: string,
  { status, headers, text }: Answered,
): Promise<void> {
  const operation = await operationAt(method, path);
  if (!operation) return;
  const fail = (what: string): never => {
    throw new Error(
      `${method} ${path} answered ${status}, and its description says otherwise: ${what}\n${text}`,
    );
  };
  const answer = operation.answers[status] ?? fail('no such status');
  for (const [name, { required, schema }] of Object.entries(answer.headers)) {
    const value = headers.get(name);
    if (value === null) {
      if (required) fail(`the header ${name} is missing`);
      continue;
    }
    const validate = validatorOf(schema);
    if (!validate(schema.type === 'integer' ? Number(value) : value)) fail(`${name}: ${said(validate)}`);
  }
  if (headers.has('idempotent-replayed') && !answer.headers['idempotent-replayed']) fail('it was replayed');
  const sent = headers.get('content-type') ?? 'none';
  const [mediaType, content] =
    Object.entries(answer.content).find(([type]) => sent.startsWith(type)) ??
    fail(`the content type is ${sent}`);
  if (mediaType === 'text/csv') return checkCsv(text, answer, fail);
  const validate = validatorOf(content.schema);
  if (!validate(mediaType === 'application/json' ? JSON.parse(text) : text)) fail(said(validate));
}

/** Its header line is that of the example, and each row stands for an item of the page that the JSON would be. */
function checkCsv(text: string, { content }: OperationAnswer, fail: (what: string) => never): void {
  const page = readCsv(text);
  const described = readCsv(String(content['text/csv']?.example));
  if (page.columns.join() !== described.columns.join()) fail('the header line is another one');
  const item = content['application/json']?.schema.properties?.data?.items ?? {};
  const validate = validatorOf(item);
  for (const one of itemsOf(page, item)) if (!validate(one)) fail(said(validate));
}

async function operationAt(method: string, path: string): Promise<Operation | undefined> {
  const [asked = ''] = path.split('?', 1);
  const known = await places(asked);
  const { place } = known.find((one) => one.place.method === method && one.form.test(asked)) ?? {};
  if (!place) return undefined;
  const operation = OPERATIONS.get(place) ?? place.operation();
  OPERATIONS.set(place, operation);
  return operation;
}

/** Paths without parameters first: `/token` is no id. */
function places(asked: string): Promise<readonly Known[]> {
  const readers = asked.startsWith('/v1') ? 'Merchants' : 'Operators';
  const known = PLACES.get(readers) ?? placesFor(readers);
  PLACES.set(readers, known);
  return known;
}

async function placesFor(readers: Readers): Promise<readonly Known[]> {
  return placesOf(await cachedDocument(readers))
    .map((place) => ({
      place,
      form: new RegExp(`^${place.path.replace(/\./g, '\\.').replace(/\{\w+\}/g, '[^/]+')}$`),
    }))
    .sort((a, b) => a.place.path.split('{').length - b.place.path.split('{').length);
}

function validatorOf(schema: object): ValidateFunction {
  const known = VALIDATORS.get(schema);
  if (known) return known;
  if (!ajv) {
    // Optimized validators would take twice as long to compile, and check few answers.
    const code = { optimize: false };
    ajv = new Ajv2020({ allErrors: true, strict: false, validateSchema: false, code });
    addFormats.default(ajv);
  }
  const validate = ajv.compile(closed(schema));
  VALIDATORS.set(schema, validate);
  return validate;
}

function said({ errors }: ValidateFunction): string {
  return (errors ?? [])
    .map(({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`)
    .join('; ');
}
