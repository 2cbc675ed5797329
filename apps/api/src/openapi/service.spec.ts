import type { BatchClosing, ListPage, SandboxTerminal, UnknownOutcome } from '@tillstream/contracts';
import type { Express } from 'express';
import { JsonAdapter } from '../http/json.adapter.js';
import { readCsv, rowOf } from '../testing/csv.page.js';
import { envelopeOf, startTestApi, type Reply, type TestApi } from '../testing/test.api.js';
import { describedApi } from '../testing/described.api.js';
import { numberWebhooks } from '../testing/webhook.numbering.js';
import { operationsOf, type Operation } from '../testing/described.operations.js';
import { openApiDocument } from './document.js';
import { SAMPLE } from './samples.js';

const app = await describedApi();
const operations = (['Merchants', 'Operators'] as const).flatMap((readers) =>
  operationsOf(openApiDocument(readers, app, 'http://localhost')),
);
const named = (chosen: readonly Operation[]) =>
  chosen.map((operation) => [`${operation.method} ${operation.path}`, operation] as const);

let api: TestApi;
let stopNumbering: () => Promise<void>;
/** The Express instance that Nest uses: its routes are those that the service really has. */
let express: Express;
beforeAll(async () => {
  const init = Object.getOwnPropertyDescriptor(JsonAdapter.prototype, 'initHttpServer');
  JsonAdapter.prototype.initHttpServer = function () {
    express = this.getInstance() as Express;
    (init?.value as () => void).call(this);
  };
  // No example is about a service that was too slow to send.
  api = await startTestApi({ SEND_WITHIN_MS: '1500' });
  stopNumbering = await numberWebhooks(api.config);
});
afterAll(async () => {
  await Promise.all(tills);
  await stopNumbering();
  await api.stop();
});

const idIn = ({ text }: Reply): string => (JSON.parse(text) as { id: string }).id;

/** Something of our own in the place of what an example names; `wrap`: what was filled in of the request by then. */
const OURS: readonly (readonly [sample: string, ours: (before: string) => Promise<string>])[] = [
  [SAMPLE.terminal, () => Promise.resolve(api.method('Front counter').id)],
  [SAMPLE.form, () => Promise.resolve(api.method('Card form').id)],
  [SAMPLE.waitingTerminal, waitingTerminal],
  [SAMPLE.sale, async () => (await api.transaction('physical-sale', { amount: 1250 })).id],
  [SAMPLE.authorization, async () => (await api.transaction('physical-auth', { amount: 1250 })).id],
  [SAMPLE.unknown, unknownOperation],
  [SAMPLE.token, () => api.token()],
  [SAMPLE.holder, async () => idIn(await api.call('POST', '/v1/account-holders', { body: {} }))],
  [
    SAMPLE.webhookEndpoint,
    async () => {
      const body = { url: 'https://shop.example/webhooks', eventTypes: ['*'] };
      return idIn(await api.call('POST', '/v1/webhook-endpoints', { body }));
    },
  ],
  [
    SAMPLE.delivery,
    async (before) => {
      const [endpoint = ''] = /whe_[0-9A-Z]{26}/.exec(before) ?? [];
      return idIn(await api.call('POST', `/v1/webhook-endpoints/${endpoint}/test`, { body: {} }));
    },
  ],
  [SAMPLE.merchant, async () => (await api.otherMerchant()).id],
  [SAMPLE.applicant, () => applicant('start')],
  [SAMPLE.reviewedApplicant, () => applicant('start', 'submit')],
  [SAMPLE.pricingTemplate, submittedTemplate],
  [SAMPLE.batch, closedBatch],
  [SAMPLE.settlement, async () => (await closedBatch()).replace('bat_', 'stl_')],
  [SAMPLE.apiKey, async (before) => idIn(await ofMerchant(before, 'api-keys', { name: 'Till' }))],
  [
    SAMPLE.legacyWebhookEndpoint,
    async (before) => {
      const body = { url: 'https://shop.example/webhooks', eventTypes: ['*'] };
      return idIn(await ofMerchant(before, 'legacy-webhook-endpoints', body));
    },
  ],
];

/** A merchant that has taken these steps. */
async function applicant(...steps: readonly string[]): Promise<string> {
  const { id } = await api.otherMerchant();
  for (const step of steps)
    await api.call('POST', `/admin/v1/merchants/${id}/application/${step}`, { body: {} });
  return id;
}

/** A template that waits for a decision. */
async function submittedTemplate(): Promise<string> {
  const { id } = await api.otherMerchant();
  return idIn(await ofMerchant(id, 'pricing-templates', { name: 'Flat' }));
}

/** Makes something of the merchant whose id the path has by then. */
function ofMerchant(path: string, made: string, body: object): Promise<Reply> {
  const [merchant = ''] = /mer_[0-9A-Z]{26}/.exec(path) ?? [];
  return api.call('POST', `/admin/v1/merchants/${merchant}/${made}`, { body });
}

/** A terminal where a customer is waited for; the till's own request ends with what the customer does. */
async function waitingTerminal(): Promise<string> {
  const { id } = api.method('Mobile');
  await api.setTerminal(id, { mode: 'Manual' });
  const sale = api.operation('physical-sale', { amount: 1250, paymentMethodId: id });
  tills.push(sale);
  await until(async () => {
    const { text } = await api.get(`/admin/v1/sandbox/terminals/${id}`);
    return (JSON.parse(text) as SandboxTerminal).waiting !== null;
  });
  return id;
}
const tills: Promise<Reply>[] = [];

async function closedBatch(): Promise<string> {
  await api.transaction('physical-sale', { amount: 1250 });
  const path = `/admin/v1/merchants/${api.running.facts.merchantId}/batches/close`;
  const { text } = await api.call('POST', path, { body: { currency: 'USD' } });
  return (JSON.parse(text) as BatchClosing).data[0]?.id ?? '';
}

/** One that the processor was asked about in vain, so that an operator may act. */
async function unknownOperation(): Promise<string> {
  const { errorDetails } = envelopeOf(await api.operation('physical-sale', { amount: 920_003 }));
  const id = errorDetails[0]?.details ?? '';
  await until(async () => {
    const { data } = await api.list<UnknownOutcome>('/admin/v1/unknown-outcomes');
    return data.some(({ transactionId, inquiries }) => transactionId === id && inquiries > 0);
  });
  return id;
}

async function until(isSo: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; !(await isSo()); tries++) {
    if (tries > 400) throw new Error('it never came to that');
    await new Promise((resume) => setTimeout(resume, 50));
  }
}

async function withOurs(text: string): Promise<string> {
  let filled = text;
  for (const [sample, ours] of OURS)
    if (filled.includes(sample)) filled = filled.replaceAll(sample, await ours(filled));
  return filled;
}

/** The path of an operation with the examples of its parameters. */
function pathOf({ path, parameters }: Operation, query: readonly [string, string][] = []): string {
  const filled = path.replace(/\{(\w+)\}/g, (_all, name: string) =>
    String(parameters.find((one) => one.in === 'path' && one.name === name)?.example),
  );
  return query.length === 0 ? filled : `${filled}?${new URLSearchParams(query)}`;
}

function queryExamples({ parameters }: Operation): [string, string][] {
  return parameters
    .filter((one) => one.in === 'query')
    .flatMap(({ name, schema }) => {
      const value = schema.examples?.[0] ?? schema.default;
      return value === undefined ? [] : [value].flat().map((one): [string, string] => [name, String(one)]);
    });
}

/** No operations of the API: what answers where nothing is, the documents themselves, and pages with what they ask. */
const NOT_DESCRIBED = [
  /\{\*path\}$/,
  /^[\w-]+ (\/v1|\/admin\/v1|\/)$/,
  /\/docs(\/|\{|$)/,
  /\/openapi\.json$/,
  /^\w+ \/sandbox(\/|$)/,
  /^\w+ \/pay(\/|$)/,
  /^\w+ \/payment-form\.js$/,
];

it('describes every route that there is, and no other', () => {
  const routes = express.router.stack.flatMap(({ route }) =>
    route ? route.stack.map(({ method }) => `${method.toUpperCase()} ${route.path}`) : [],
  );
  const there = routes
    .map((route) => route.replace(/:(\w+)/g, '{$1}'))
    .filter((route) => !NOT_DESCRIBED.some((form) => form.test(route)));
  const described = operations.map(({ method, path }) => `${method} ${path}`);
  expect(described.sort()).toEqual([...new Set(there)].sort());
});

it.each(named(operations))('says whose key it asks for: %s', async (_name, operation) => {
  const { method, needsKey, answers } = operation;
  const body = operation.body ? { body: {} } : {};
  const isAdmitted = async (key: string | null): Promise<boolean> => {
    // Rejected for its query before anything happens.
    const reply = await api.call(method, pathOf(operation, [['nonsense', '1']]), { ...body, key });
    return reply.status !== 401;
  };
  // Only merchants have a rate limit.
  const forMerchants = needsKey && '429' in answers;
  const described = [!needsKey, !needsKey || forMerchants, !needsKey || !forMerchants];
  expect([await isAdmitted(null), await isAdmitted(api.key), await isAdmitted(api.adminKey)]).toEqual(
    described,
  );
});

const CLOCK = '/admin/v1/sandbox/clock';
/** A move of the clock waits for webhooks that are due, and nothing sends them here: it comes before there are any. */
const clockFirst = operations.toSorted(
  (one, other) => Number(other.path === CLOCK) - Number(one.path === CLOCK),
);

describe('Every example of the description is answered with success:', () => {
  it.each(named(clockFirst))('%s', async (_name, operation) => {
    const { body, method } = operation;
    const bodies = body ? Object.values(body.examples).map(({ value }) => value) : [undefined];
    for (const value of bodies) {
      const path = await withOurs(pathOf(operation, queryExamples(operation)));
      const sent = value && (await withOurs(JSON.stringify(value)));
      const reply = await api.call(method, path, sent === undefined ? {} : { body: sent });
      expect(`${reply.status} ${reply.status === 200 ? '' : reply.text}`).toBe('200 ');
    }
  });
});

/** A new list is found by the fields of its page. */
const lists = operations.filter(
  ({ answers }) => answers['200']?.content['application/json']?.schema.properties?.nextCursor,
);

describe('Every list answers CSV with the items of its JSON:', () => {
  it.each(named(lists))('%s', async (_name, operation) => {
    const path = await withOurs(pathOf(operation));
    // Some lists change by themselves: the JSON has to be the same before and after.
    const read = async () => [
      await api.get(path),
      await api.get(path, { headers: { accept: 'text/csv' } }),
      await api.get(path),
    ];
    let [json, csv, later] = await read();
    for (let tries = 0; tries < 50 && json?.text !== later?.text; tries++) [json, csv, later] = await read();
    expect([json?.status, csv?.status, later?.text]).toEqual([200, 200, json?.text]);
    expect(csv?.headers.get('content-type')).toMatch(/^text\/csv;/);
    const { columns, rows } = readCsv(csv?.text ?? '');
    const { data, nextCursor } = JSON.parse(json?.text ?? '') as ListPage<object>;
    expect(rows).toEqual(data.map((item) => rowOf(columns, item)));
    expect(csv?.headers.get('x-next-cursor')).toBe(nextCursor);
  });

  it('and there are as many as there are lists in this version at least', () => {
    expect(lists.length).toBeGreaterThanOrEqual(15);
  });
});

/** What the service itself says is allowed, where it was sent something of this name that it does not know. */
function allowed(reply: Reply, field: string): string[] {
  const { errorDetails } = envelopeOf(reply);
  const details = errorDetails.find((one) => one.field === field)?.details ?? reply.text;
  return details
    .replace(/^.*allowed /, '')
    .split(', ')
    .sort();
}

const NONE = ['none is allowed'];

describe('What the service allows is what is described:', () => {
  it.each(named(operations.filter(({ body }) => body)))('fields of %s', async (_name, operation) => {
    const fields = Object.keys(operation.body?.schema.properties ?? {}).sort();
    const reply = await api.call(operation.method, pathOf(operation), { body: { nonsense: 1 } });
    expect(reply.status).toBe(400);
    expect(allowed(reply, 'nonsense')).toEqual(fields.length === 0 ? NONE : fields);
  });

  const withKey = operations.filter(({ path }) => !/^\/(health|metrics)/.test(path));
  it.each(named(withKey))('query parameters of %s', async (_name, operation) => {
    const query = operation.parameters.filter((one) => one.in === 'query');
    const body = operation.body ? { body: {} } : {};
    const reply = await api.call(operation.method, pathOf(operation, [['nonsense', '1']]), body);
    expect(allowed(reply, 'nonsense')).toEqual(
      query.length === 0 ? NONE : query.map(({ name }) => name).sort(),
    );
    for (const { name, schema } of query.filter((one) => one.schema.enum ?? one.schema.items?.enum)) {
      const refused = await api.call(operation.method, pathOf(operation, [[name, 'nonsense']]));
      expect(allowed(refused, name)).toEqual((schema.enum ?? schema.items?.enum ?? []).map(String).sort());
    }
  });
});
