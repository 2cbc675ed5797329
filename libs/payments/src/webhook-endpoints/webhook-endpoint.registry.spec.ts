import { describe, expect, it } from '@jest/globals';
import { webhookEndpointsStream, type WebhookMethod } from '@tillstream/domain';
import { EventStoreError, MemoryEventStore, type EventStore } from '@tillstream/event-store';
import { memoryVault } from '@tillstream/vault/testing';
import { Provisioning } from '../operators/provisioning.js';
import { noReadModels } from '../read-model-write-through/write-through.js';
import { eventMetadata } from '../stream-repository/event-metadata.js';
import { ManualClock } from '../testing/payments.setup.js';
import { vaultSecretSealer } from './secret.sealer.js';
import { WebhookEndpointRegistry } from './webhook-endpoint.registry.js';
import { WebhookEndpointRejected, type WebhookEndpointRequest } from './webhook-endpoint.types.js';

const actor = { type: 'ApiKey', name: 'Web shop', keyId: 'key_1' } as const;
const URL_1 = 'https://shop.example/webhooks';
const DAY_MS = 24 * 3_600_000;
const wanted = { url: URL_1, eventTypes: ['*'] };

async function setUp(mode: 'sandbox' | 'live' = 'sandbox') {
  const store = new MemoryEventStore();
  const clock = new ManualClock();
  const vault = memoryVault();
  let made = 0;
  const sealer = vaultSecretSealer(vault);
  const parts = {
    ...{ store, clock, sealer, mode },
    newSecret: (method: WebhookMethod) => `secret ${++made} of ${method}`,
    addresses: { refusalOfUrl: ({ hostname }: URL) => (hostname === '10.0.0.1' ? 'private' : undefined) },
  };
  const merchant = () =>
    new Provisioning({ store, clock, readModels: noReadModels }).createMerchant(actor, {
      name: 'Maple Street Books',
      currencies: ['USD'],
      timeZone: 'America/New_York',
      cutOff: '22:00',
      locale: 'en-US',
      fundingType: 'Net',
      managedWebhooks: true,
      unreferencedRefunds: { enabled: false },
    });
  const { id: merchantId } = await merchant();
  const request = (more: Partial<WebhookEndpointRequest> = {}): WebhookEndpointRequest => ({
    actor,
    merchantId,
    method: 'Managed',
    ...more,
  });
  const events = async () => (await store.readStream(webhookEndpointsStream(merchantId))).events;
  return {
    ...{ store, clock, vault, sealer, merchantId, merchant, request, events, parts },
    endpoints: new WebhookEndpointRegistry(parts),
  };
}

/** The store with another `append`. */
function withAppend(store: EventStore, append: EventStore['append']): EventStore {
  return new Proxy(store, {
    get: (of, name: keyof EventStore) =>
      name === 'append' ? append : (of[name] as (...args: never[]) => unknown).bind(of),
  });
}

async function rejectionOf(change: Promise<unknown>): Promise<string> {
  const error: unknown = await change.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (error instanceof WebhookEndpointRejected) return error.rejection.code;
  throw error instanceof Error ? error : new Error('it was not rejected');
}

describe('a webhook endpoint', () => {
  it('is created with its actor, and its secret is in no event', async () => {
    const { endpoints, request, events, sealer } = await setUp();
    const { endpoint, secret } = await endpoints.create(request(), wanted);
    expect(endpoint).toMatchObject({ ...wanted, method: 'Managed', status: 'Enabled' });
    expect(secret).toBe('secret 1 of Managed');
    const [event] = await events();
    expect(event && eventMetadata(event).actor).toEqual(actor);
    expect(JSON.stringify(event)).not.toContain(secret);
    expect(await sealer.open(endpoint.id, endpoint.secret)).toBe(secret);
    await expect(sealer.open('whe_01JQ0000000000000000000000', endpoint.secret)).rejects.toThrow('opened');
  });

  it('is created once by a repeated command, which shows the same secret', async () => {
    const { endpoints, request, events } = await setUp();
    const create = () => endpoints.create(request({ commandId: 'c1' }), wanted);
    const first = await create();
    expect(await create()).toEqual(first);
    expect(await events()).toHaveLength(1);
  });

  it('is not created again by a repeated command after its deletion', async () => {
    const { endpoints, request, events } = await setUp();
    const create = () => endpoints.create(request({ commandId: 'c1' }), wanted);
    const { endpoint } = await create();
    await endpoints.delete(request(), endpoint.id);
    expect(await rejectionOf(create())).toBe('EndpointNotFound');
    expect(await events()).toHaveLength(2);
  });

  it('belongs to a merchant that exists', async () => {
    const { endpoints, request } = await setUp();
    const merchantId = 'mer_01JQ0000000000000000000000';
    expect(await rejectionOf(endpoints.create(request({ merchantId }), wanted))).toBe('MerchantNotFound');
  });

  it('is not found by another merchant or under the other method', async () => {
    const { endpoints, request, merchant, merchantId } = await setUp();
    const { endpoint } = await endpoints.create(request(), wanted);
    const other = (await merchant()).id;
    expect(await endpoints.find(merchantId, 'Managed', endpoint.id)).toEqual(endpoint);
    expect(await endpoints.find(other, 'Managed', endpoint.id)).toBeUndefined();
    expect(await endpoints.list(merchantId, 'Legacy')).toEqual([]);
    for (const wrong of [request({ merchantId: other }), request({ method: 'Legacy' })]) {
      for (const change of [
        () => endpoints.change(wrong, endpoint.id, { description: 'Web shop' }),
        () => endpoints.rotateSecret(wrong, endpoint.id),
        () => endpoints.delete(wrong, endpoint.id),
      ])
        expect(await rejectionOf(change())).toBe('EndpointNotFound');
    }
  });

  it('is changed, disabled and enabled once by each command', async () => {
    const { endpoints, request, events } = await setUp();
    const { endpoint } = await endpoints.create(request(), wanted);
    const disable = () =>
      endpoints.change(request({ commandId: 'c2' }), endpoint.id, { status: 'Disabled', description: 'Old' });
    await disable();
    await endpoints.change(request(), endpoint.id, { status: 'Enabled' });
    expect(await disable()).toMatchObject({ status: 'Enabled', description: 'Old' });
    expect((await events()).map(({ type }) => type)).toEqual([
      'WebhookEndpointCreated',
      'WebhookEndpointChanged',
      'WebhookEndpointDisabled',
      'WebhookEndpointEnabled',
    ]);
  });

  it('is deleted, and a repeated command answers it as it was', async () => {
    const { endpoints, request, merchantId } = await setUp();
    const { endpoint } = await endpoints.create(request(), wanted);
    const remove = () => endpoints.delete(request({ commandId: 'c3' }), endpoint.id);
    expect(await remove()).toEqual(endpoint);
    expect(await endpoints.list(merchantId, 'Managed')).toEqual([]);
    expect(await remove()).toEqual(endpoint);
    expect(await rejectionOf(endpoints.delete(request(), endpoint.id))).toBe('EndpointNotFound');
  });

  it.each([
    ['with user and password', 'https://ann:secret@shop.example'],
    ['without a scheme', 'shop.example'],
    ['of another scheme', 'ftp://shop.example'],
    ['with white space', 'https://shop.example/a b'],
    ['that is special', 'https://10.0.0.1/webhooks'],
    ['that is too long', `https://shop.example/${'a'.repeat(2_048)}`],
  ])('never gets an address %s, and the error does not repeat it', async (_title, url) => {
    const { endpoints, request } = await setUp();
    const { endpoint } = await endpoints.create(request(), wanted);
    const changes = [
      endpoints.create(request(), { ...wanted, url }),
      endpoints.change(request(), endpoint.id, { url }),
    ];
    for (const change of changes) {
      const error = (await change.catch((thrown: unknown) => thrown)) as WebhookEndpointRejected;
      expect(error.rejection.code).toBe('UrlNotAllowed');
      expect(JSON.stringify(error.rejection)).not.toContain(url);
    }
  });

  it('has an address with https in live mode', async () => {
    const url = 'http://shop.example';
    const sandbox = await setUp();
    expect((await sandbox.endpoints.create(sandbox.request(), { ...wanted, url })).endpoint.url).toBe(url);
    const live = await setUp('live');
    expect(await rejectionOf(live.endpoints.create(live.request(), { ...wanted, url }))).toBe(
      'UrlNotAllowed',
    );
  });
});

describe('the secret of a webhook endpoint', () => {
  it('is rotated once by a repeated command; the old one signs too for 24 h by the service’s clock', async () => {
    const { endpoints, request, clock, sealer } = await setUp();
    const { endpoint, secret: old } = await endpoints.create(request(), wanted);
    clock.ahead = 3 * DAY_MS;
    const rotate = () => endpoints.rotateSecret(request({ commandId: 'c4' }), endpoint.id);
    const rotated = await rotate();
    expect(rotated.secret).toBe('secret 2 of Managed');
    const { oldSecret } = rotated.endpoint;
    expect(oldSecret?.until).toBe(new Date(clock.now() + DAY_MS).toISOString());
    expect(await sealer.open(endpoint.id, oldSecret?.secret ?? '')).toBe(old);
    expect(await rotate()).toEqual(rotated);
  });

  it('of a legacy endpoint can be the operator’s own', async () => {
    const { endpoints, request } = await setUp();
    const legacy = request({ method: 'Legacy' });
    const secret = 'a shared secret of 16 or more';
    const created = await endpoints.create(legacy, { ...wanted, secret });
    expect(created).toMatchObject({ secret, endpoint: { method: 'Legacy' } });
    expect(created.endpoint.id).toMatch(/^whl_/);
    const rotated = await endpoints.rotateSecret(legacy, created.endpoint.id, `${secret} 2`);
    expect(rotated.secret).toBe(`${secret} 2`);
  });
});

describe('a webhook endpoint that the dispatcher disables', () => {
  it('is disabled by one event, however many processes saw its answer', async () => {
    const { endpoints, request, events, parts, merchantId } = await setUp();
    const { endpoint } = await endpoints.create(request(), wanted);
    const { id: endpointId, url, enabledAt = '' } = endpoint;
    const observed = { endpointId, url, enabledAt, reason: 'Gone' } as const;
    const processes = [endpoints, new WebhookEndpointRegistry(parts), new WebhookEndpointRegistry(parts)];
    const results = await Promise.all(processes.map((process) => process.disable(merchantId, observed)));
    expect(results.filter((hasDisabled) => hasDisabled)).toHaveLength(1);
    expect(await endpoints.find(merchantId, 'Managed', endpointId)).toMatchObject({
      status: 'Disabled',
      disabledReason: 'Gone',
    });
    const disabled = (await events()).filter(({ type }) => type === 'WebhookEndpointDisabled');
    expect(disabled).toHaveLength(1);
    expect(disabled[0] && eventMetadata(disabled[0]).actor.type).toBe('System');
  });

  it('stays enabled if its merchant moved it between the observation and the append', async () => {
    const { endpoints, request, merchantId, parts, store } = await setUp();
    const { endpoint } = await endpoints.create(request(), wanted);
    const { id: endpointId, url, enabledAt = '' } = endpoint;
    let moved = false;
    const racing = withAppend(store, async (append) => {
      if (!moved) {
        moved = true;
        await endpoints.change(request(), endpointId, { url: 'https://new.example' });
      }
      return store.append(append);
    });
    const dispatcher = new WebhookEndpointRegistry({ ...parts, store: racing });
    await dispatcher.disable(merchantId, { endpointId, url, enabledAt, reason: 'Gone' });
    expect(moved).toBe(true);
    expect(await endpoints.find(merchantId, 'Managed', endpointId)).toMatchObject({
      status: 'Enabled',
      url: 'https://new.example',
    });
  });

  it('is not disabled if the store can not be written', async () => {
    const { endpoints, request, merchantId, parts, store } = await setUp();
    const { endpoint } = await endpoints.create(request(), wanted);
    const { id: endpointId, url, enabledAt = '' } = endpoint;
    const failing = withAppend(store, () => Promise.reject(new EventStoreError('Unavailable', 'disk full')));
    const dispatcher = new WebhookEndpointRegistry({ ...parts, store: failing });
    const observed = { endpointId, url, enabledAt, reason: 'Failing' } as const;
    await expect(dispatcher.disable(merchantId, observed)).rejects.toThrow('disk full');
    expect(await endpoints.find(merchantId, 'Managed', endpointId)).toMatchObject({ status: 'Enabled' });
  });
});
