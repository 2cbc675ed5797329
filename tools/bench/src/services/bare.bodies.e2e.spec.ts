import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startApi, startBare, type ApiService, type Service } from './http.services.js';

interface Schema {
  readonly $ref?: string;
  readonly allOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
}
type Schemas = Readonly<Record<string, Schema>>;
interface Description {
  readonly paths: Readonly<Record<string, { readonly post: { readonly requestBody: RequestBody } }>>;
  readonly components: { readonly schemas: Schemas };
}
interface RequestBody {
  readonly content: { readonly 'application/json': { readonly schema: Schema } };
}

let folder: string;
let api: ApiService;
let bare: Service;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tillstream-bare-'));
  api = await startApi(folder, 1);
  bare = await startBare(folder, api.apiKey, { response: {} });
}, 60_000);
afterAll(async () => {
  await Promise.all([api.stop(), bare.stop()]);
  rmSync(folder, { recursive: true, force: true });
});

/** An object with every field of the schema, also of its inner objects. All other values are empty objects, which are wrong. */
function wrongBody(schemas: Schemas, { $ref, allOf = [], properties = {} }: Schema): object {
  const named = schemas[$ref?.split('/').at(-1) ?? ''];
  const parts = named ? [named] : allOf;
  const own = Object.entries(properties).map(([name, schema]) => [name, wrongBody(schemas, schema)]);
  return Object.assign(Object.fromEntries(own), ...parts.map((part) => wrongBody(schemas, part))) as object;
}

it.each(['/transactions/physical-sale', '/transactions/token-sale', '/transactions/virtual-sale'])(
  'The bare handler takes the fields of the API at %s',
  async (path) => {
    const described = await fetch(`http://${api.host}:${api.port}/openapi.json`);
    const { paths, components } = (await described.json()) as Description;
    const schema = paths[path]?.post.requestBody.content['application/json'].schema as Schema;
    const body = { ...wrongBody(components.schemas, schema), surplus: 1 };
    const response = await fetch(`http://${bare.host}:${bare.port}/v1${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': api.apiKey },
      body: JSON.stringify(body),
    });
    const { message } = (await response.json()) as { message: readonly string[] };
    const refused = message.filter((text) => text.endsWith('should not exist'));
    expect(refused).toEqual(['property surplus should not exist']);
    expect(message.some((text) => text.includes('amountBreakdown.tip'))).toBe(true);
  },
);
