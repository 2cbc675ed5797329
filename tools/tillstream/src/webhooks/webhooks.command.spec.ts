import type { WebhookEndpoint, WebhookEndpointWithSecret } from '@tillstream/contracts';
import { DataDirectoryFixture } from '../data-directory.fixture.js';

const URL_1 = 'https://shop.example/webhooks';
const SECRET = /^[0-9a-f]{64}$/;

describe('webhooks', () => {
  let fixture: DataDirectoryFixture;

  beforeEach(async () => {
    fixture = new DataDirectoryFixture();
    await fixture.createMerchant();
  });
  afterEach(() => fixture.remove());

  const run = (...args: string[]) => fixture.run('webhooks', ...args, '--merchant', fixture.merchant.id);
  const json = async <Shown = WebhookEndpointWithSecret>(...args: string[]) =>
    JSON.parse((await run(...args, '--json')).out) as Shown;
  const list = async () => (await json<{ data: WebhookEndpoint[] }>('list')).data;

  it('creates an endpoint, prints its secret once and alone on stdout, and lists it without', async () => {
    const { code, out, err } = await run('create', '--url', URL_1);
    expect([code, out]).toEqual([0, expect.stringMatching(SECRET)]);
    expect(err).toMatch(/^whl_\w{26} gets its events at .*shown only here\.$/);
    expect(await list()).toMatchObject([
      { url: URL_1, eventTypes: ['*'], method: 'Legacy', status: 'Enabled' },
    ]);
    const listed = await run('list');
    expect(listed.out).toMatch(
      /^whl_\w{26} {2}Enabled {2}https:\/\/shop\.example\/webhooks {2}\* {2}made \S+Z$/,
    );
    expect(JSON.stringify(await list())).not.toContain(out);
  });

  it('disables, enables, rotates and deletes an endpoint', async () => {
    const { id, secret } = await json(
      'create',
      '--url',
      URL_1,
      '--event-types',
      'sale.completed,token.removed',
    );
    expect((await run('disable', id)).out).toBe(`${id} is disabled; its pending retries stop.`);
    expect(await list()).toMatchObject([
      { status: 'Disabled', eventTypes: ['sale.completed', 'token.removed'] },
    ]);
    expect(await json('enable', id)).toMatchObject({ id, status: 'Enabled' });
    const rotated = await json('rotate', id);
    expect(rotated.secret).toMatch(SECRET);
    expect(rotated.secret).not.toBe(secret);
    expect((await run('delete', id)).code).toBe(0);
    expect((await run('list')).out).toBe('There is none.');
  });

  it('records the change for --actor', async () => {
    const { id } = await json('create', '--url', URL_1, '--actor', 'Grace');
    const actors = await fixture.actorsOf(`webhookendpoints-${fixture.merchant.id}`);
    expect(actors).toEqual([{ type: 'Operator', name: 'Grace' }]);
    await run('disable', id);
    expect((await fixture.actorsOf(`webhookendpoints-${fixture.merchant.id}`))[1]).toMatchObject({
      name: 'ada',
    });
  });

  it('creates managed endpoints of a merchant with managed webhooks only, and changes them', async () => {
    const refused = await run('create', '--method', 'managed', '--url', URL_1);
    expect([refused.code, refused.err]).toEqual([1, expect.stringContaining('has no managed webhooks')]);
    await fixture.createMerchant({ managedWebhooks: true });
    const { id, secret } = await json(
      'create',
      '--method',
      'managed',
      '--url',
      URL_1,
      '--description',
      'Shop',
    );
    expect([id, secret]).toEqual([expect.stringMatching(/^whe_/), expect.stringMatching(/^whsec_/)]);
    const change = ['change', id, '--url', 'https://new.example/', '--event-types', 'merchant.approved'];
    expect(await json(...change)).toMatchObject({
      ...{ url: 'https://new.example/', eventTypes: ['merchant.approved'], description: 'Shop' },
    });
    const rotated = await json('rotate', id);
    expect(rotated.secret).toMatch(/^whsec_/);
    const { id: legacy } = await json('create', '--url', URL_1);
    expect((await list()).map((one) => one.id)).toEqual([id, legacy]);
    expect((await json<{ data: WebhookEndpoint[] }>('list', '--method', 'legacy')).data).toHaveLength(1);
    expect((await run('change', id)).code).toBe(1);
    expect((await run('delete', id)).code).toBe(0);
  });

  it('refuses an unknown endpoint or merchant, or an address, with exit code 1', async () => {
    const unknown = await run('disable', 'whl_01JQ0000000000000000000000');
    expect([unknown.code, unknown.err]).toEqual([1, 'There is no such webhook endpoint.']);
    const merchant = 'mer_01JQ0000000000000000000000';
    const other = await fixture.run('webhooks', 'list', '--merchant', merchant);
    expect([other.code, other.err]).toEqual([1, `There is no merchant ${merchant}.`]);
    const special = await run('create', '--url', 'https://10.0.0.1/');
    expect([special.code, special.err]).toEqual([1, expect.stringContaining('url must be a public address')]);
    expect(await list()).toEqual([]);
  });

  it('refuses an unknown type, a lifecycle type of a legacy endpoint, or no merchant', async () => {
    const types = await run('create', '--url', URL_1, '--event-types', 'sale.finished');
    expect([types.code, types.err]).toEqual([2, expect.stringContaining('Allowed are *, sale.completed')]);
    const lifecycle = await run('create', '--url', URL_1, '--event-types', 'merchant.approved');
    expect([lifecycle.code, lifecycle.err]).toEqual([
      1,
      expect.stringContaining('legacy endpoint can not have'),
    ]);
    expect((await run('disable', 'whe_1')).code).toBe(2);
    expect((await fixture.run('webhooks', 'list')).code).toBe(2);
  });
});
