import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type {
  CreatedApiKey,
  ListPage,
  Merchant,
  PricingTemplate,
  WebhookDelivery,
  WebhookEndpointWithSecret,
  WebhookPayload,
} from '@tillstream/contracts';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { Webhook as StandardWebhook } from 'standardwebhooks';
import type { TesterView } from '../../sandbox/webhook-tester/webhook.tester.js';
import { closed } from '../../testing/closed.schema.js';
import { eventually } from '../../testing/eventually.js';
import { emptyDirectory, ServiceProcess } from '../../testing/service.process.js';

const LIMIT_MS = 90_000;

let service: ServiceProcess;
let server: Server;
const received: { readonly path: string; readonly headers: IncomingHttpHeaders; readonly body: string }[] =
  [];

beforeAll(async () => {
  server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString('utf8');
      received.push({ path: request.url ?? '', headers: request.headers, body });
      response.writeHead(204).end();
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  service = await new ServiceProcess(emptyDirectory(), { WEBHOOK_DISPATCHER: 'beside' }).started();
}, LIMIT_MS);
afterAll(async () => {
  await service.stop();
  server.close();
  server.closeAllConnections();
  rmSync(service.dataDir, { recursive: true, force: true });
});
beforeEach(() => received.splice(0));

/** With the key of a merchant, or without one as an operator. */
const post = <Resource = unknown>(path: string, body: object = {}, key?: string): Promise<Resource> =>
  key === undefined ? service.operate('POST', path, body) : service.call('POST', path, body, key);

interface Shop {
  readonly id: string;
  readonly key: string;
  readonly managed: WebhookEndpointWithSecret;
}

/** A merchant with a managed endpoint and a legacy one, both for all events. */
async function newShop(name: string): Promise<Shop> {
  const { id } = await post<Merchant>('/merchants', { name, managedWebhooks: true });
  const { key } = await post<CreatedApiKey>(`/merchants/${id}/api-keys`, { name: 'Shop' });
  const url = (method: string) =>
    `http://127.0.0.1:${(server.address() as AddressInfo).port}/${method}/${name}`;
  const managed = await post<WebhookEndpointWithSecret>(
    '/webhook-endpoints',
    { url: url('managed'), eventTypes: ['*'] },
    key,
  );
  await post(`/merchants/${id}/legacy-webhook-endpoints`, { url: url('legacy'), eventTypes: ['*'] });
  return { id, key, managed };
}

const step = (shop: Shop, name: string, body: object = {}) =>
  post<{ readonly id: string }>(`/merchants/${shop.id}/application/${name}`, body);
const submitTemplate = (merchant: string, name: string): Promise<PricingTemplate> =>
  post(`/merchants/${merchant}/pricing-templates`, {
    name,
    rules: [{ feeType: 'Markup', rateBps: 30, fixedAmount: 10 }],
  });
const decideTemplate = ({ id }: PricingTemplate, decision: string, reason?: string) =>
  post(`/pricing-templates/${id}/${decision}`, reason === undefined ? {} : { reason });

const arrivedAt = (path: string) => received.filter((one) => one.path === path);

/** The payloads that the managed endpoint got, each verified, in the order of their sequence. */
async function verified(name: string, { managed }: Shop, count: number): Promise<readonly WebhookPayload[]> {
  await eventually(() => Promise.resolve(arrivedAt(`/managed/${name}`).length >= count));
  const payloads = arrivedAt(`/managed/${name}`).map(({ headers, body }) => {
    expect(Buffer.byteLength(body)).toBeLessThan(20_000);
    return new StandardWebhook(managed.secret).verify(
      body,
      headers as Record<string, string>,
    ) as WebhookPayload;
  });
  return payloads.toSorted((a, b) => (a.event.sequence ?? 0) - (b.event.sequence ?? 0));
}

/** What the description of the API says of the body of an event. */
async function described(): Promise<(payload: WebhookPayload) => string> {
  const response = await fetch(`${new URL(service.facts.baseUrl).origin}/openapi.json`);
  const { components, ...document } = (await response.json()) as {
    readonly components: { readonly schemas: Readonly<Record<string, object>> };
  };
  const schemas = Object.entries(components.schemas).map(([name, schema]) => [name, closed(schema)] as const);
  const ajv = new Ajv2020({ allErrors: true, strict: false, validateSchema: false });
  addFormats.default(ajv);
  ajv.addSchema({ $id: 'document', ...document, components: { schemas: Object.fromEntries(schemas) } });
  return (payload) => {
    const place = `document#/webhooks/${payload.event.type}/post/requestBody/content/application~1json/schema`;
    const validate = ajv.compile({ $ref: place });
    validate(payload);
    return ajv.errorsText(validate.errors);
  };
}

const facts = (type: string, { id: merchantId }: Shop, sequence: number) => ({
  event: expect.objectContaining({ type, merchantId, sequence }) as object,
});

describe('The webhooks of a merchant’s life cycle, with the dispatcher beside the API,', () => {
  it(
    'reach the managed endpoint in one sequence, verified by the published library, and never the legacy one',
    async () => {
      const shop = await newShop('first');
      const { id } = await step(shop, 'start');
      const asked = {
        reason: 'The bank statement is missing.',
        requiredActions: ['Upload a bank statement'],
      };
      await step(shop, 'require-action', asked);
      await step(shop, 'upload-info');
      const [retail, online] = [
        await submitTemplate(shop.id, 'Retail'),
        await submitTemplate(shop.id, 'Online'),
      ];
      await step(shop, 'submit');
      await decideTemplate(online, 'reject', 'The markup is too low.');
      await step(shop, 'change-status', { status: 'UnderReview' });
      await step(shop, 'approve');
      await decideTemplate(retail, 'approve');
      const declined = await newShop('second');
      const other = await step(declined, 'start');
      await step(declined, 'submit');
      await step(declined, 'reject', { reason: 'The business is not supported.' });

      const got = await verified('first', shop, 8);
      expect(got).toEqual([
        { ...facts('merchant.application.started', shop, 1), merchantApplication: { id, status: 'Started' } },
        {
          ...facts('merchant.application.requires_action', shop, 2),
          merchantApplication: { id, status: 'RequiresAction', ...asked },
        },
        {
          ...facts('merchant.application.info_uploaded', shop, 3),
          merchantApplication: { id, status: 'InfoUploaded' },
        },
        {
          ...facts('merchant.application.submitted', shop, 4),
          merchantApplication: { id, status: 'Submitted' },
        },
        {
          ...facts('pricing_template.rejected', shop, 5),
          pricingTemplate: {
            ...{ id: online.id, name: 'Online' },
            ...{ status: 'Rejected', reason: 'The markup is too low.' },
          },
        },
        {
          ...facts('merchant.application.status_changed', shop, 6),
          merchantApplication: { id, status: 'UnderReview' },
        },
        { ...facts('merchant.approved', shop, 7), merchantApplication: { id, status: 'Approved' } },
        {
          ...facts('pricing_template.approved', shop, 8),
          pricingTemplate: { id: retail.id, name: 'Retail', status: 'Approved' },
        },
      ]);
      const gotBySecond = await verified('second', declined, 3);
      expect(gotBySecond[2]).toEqual({
        ...facts('merchant.rejected', declined, 3),
        merchantApplication: {
          ...{ id: other.id, status: 'Rejected' },
          reason: 'The business is not supported.',
        },
      });
      const errorsIn = await described();
      for (const payload of [...got, ...gotBySecond]) expect(errorsIn(payload)).toBe('No errors');

      // The legacy endpoint gets what comes after them, so they were not only late.
      const { id: terminal } = await post<{ readonly id: string }>(`/merchants/${shop.id}/terminals`, {
        currency: 'USD',
      });
      const sale = { amount: 1_250, paymentMethodId: terminal };
      await post('/transactions/physical-sale', sale, shop.key);
      await eventually(() => Promise.resolve(arrivedAt('/legacy/first').length > 0));
      const legacy = received.filter(({ path }) => path.startsWith('/legacy'));
      expect(legacy.map(({ body }) => (JSON.parse(body) as WebhookPayload).event)).toMatchObject([
        { type: 'sale.completed', sequence: 9 },
      ]);
    },
    LIMIT_MS,
  );

  it(
    'are listed, filtered and replayed with the same bytes as any other delivery',
    async () => {
      const shop = await newShop('third');
      await step(shop, 'start');
      await verified('third', shop, 1);
      const path = `/webhook-endpoints/${shop.managed.id}/deliveries`;
      const [delivery] = (
        await service.call<ListPage<WebhookDelivery>>(
          'GET',
          `${path}?eventType=merchant.application.started`,
          undefined,
          shop.key,
        )
      ).data;
      await post(`${path}/${delivery?.id}/replay`, {}, shop.key);
      await verified('third', shop, 2);
      const [first, second] = arrivedAt('/managed/third');
      expect(second?.body).toBe(first?.body);
      expect(second?.headers['hook-id']).toBe(first?.headers['hook-id']);
    },
    LIMIT_MS,
  );

  it(
    'are shown by the endpoint tester of the demo merchant, verified',
    async () => {
      const { merchantId } = service.facts;
      await decideTemplate(await submitTemplate(merchantId, 'Cheaper'), 'reject');
      const origin = new URL(service.facts.baseUrl).origin;
      const view = async () =>
        (await (await fetch(`${origin}/sandbox/data/webhooks?after=0`)).json()) as TesterView;
      await eventually(async () => (await view()).deliveries.length > 0);
      const [shown] = (await view()).deliveries;
      expect(shown).toMatchObject({
        event: { type: 'pricing_template.rejected' },
        verification: 'Managed',
        answered: 200,
      });
      expect(JSON.parse(shown?.body ?? '')).toMatchObject({
        pricingTemplate: { name: 'Cheaper', status: 'Rejected' },
      });
    },
    LIMIT_MS,
  );
});
