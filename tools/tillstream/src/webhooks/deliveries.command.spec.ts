import type { WebhookDelivery, WebhookEndpointWithSecret } from '@tillstream/contracts';
import type { AttemptResult, DeliveryStore } from '@tillstream/webhook-delivery';
import { claim, finish } from '@tillstream/webhook-delivery/testing';
import { DataDirectoryFixture } from '../data-directory.fixture.js';

const SALES = 6;
const HOUR_MS = 3_600_000;

describe('webhooks of an endpoint', () => {
  let fixture: DataDirectoryFixture;
  let tables: DeliveryStore;
  let id: string;
  let all: readonly WebhookDelivery[];

  beforeEach(async () => {
    fixture = new DataDirectoryFixture();
    await fixture.createMerchant({ managedWebhooks: true });
    const created = await run('create', '--method', 'managed', '--url', 'https://shop.example', '--json');
    ({ id } = JSON.parse(created.out) as WebhookEndpointWithSecret);
    for (let count = 1; count <= SALES; count++) await fixture.sale(100 * count);
    tables = await fixture.numberWebhooks();
    all = (await listed('--oldest-first')).data;
    await attempt();
  });
  afterEach(() => fixture.remove());

  const run = (...args: string[]) => fixture.run('webhooks', ...args, '--merchant', fixture.merchant.id);
  const listed = async (...args: string[]) =>
    JSON.parse((await run('deliveries', id, ...args, '--json')).out) as {
      data: WebhookDelivery[];
      hasMore: boolean;
    };
  const count = async (...args: string[]) => (await run('deliveries', id, '--count', ...args)).out;

  /** Two succeed, two fail, one is exhausted, one waits. */
  async function attempt(): Promise<void> {
    const now = { service: Date.now() + HOUR_MS, real: Date.now() };
    const request = { endpointIds: [id], perEndpointMax: 5, limit: 5, token: 'one', leaseMs: 1_000, now };
    await claim(tables, request);
    const result = (index: number, outcome: AttemptResult['outcome']): AttemptResult => ({
      deliveryId: all[index]?.id ?? '',
      attempt: {
        ...{ at: Date.now(), durationMs: 7 },
        ...(outcome.kind === 'Succeeded'
          ? { status: 204 }
          : { status: 500, error: 'the endpoint answered 500' }),
      },
      outcome,
    });
    await finish(tables, 'one', [
      result(0, { kind: 'Succeeded' }),
      result(1, { kind: 'Succeeded' }),
      result(2, { kind: 'Failed', nextTryAt: Date.now() + HOUR_MS }),
      result(3, { kind: 'Failed', nextTryAt: Date.now() + HOUR_MS }),
      result(4, { kind: 'Exhausted' }),
    ]);
  }

  it('deliveries are listed with filters, counted, and shown with their attempts', async () => {
    expect(await count()).toBe('Pending 1, Succeeded 2, Failed 2, Exhausted 1');
    expect((await listed('--limit', '2')).hasMore).toBe(true);
    const unsuccessful = await listed('--status', 'Failed,Exhausted', '--event-type', 'sale.completed');
    expect(unsuccessful.data.map((one) => one.id)).toEqual([all[4]?.id, all[3]?.id, all[2]?.id]);
    expect((await listed('--event-id', all[1]?.eventId ?? '')).data).toHaveLength(1);
    expect((await listed('--until', '2020-01-01')).data).toEqual([]);
    expect((await run('deliveries', id)).out.split('\n')).toHaveLength(SALES);
    const shown = (await run('delivery', id, all[4]?.id ?? '')).out;
    expect(shown).toMatch(/^dlv_\w+ {2}Exhausted .* attempts 1, the last one: the endpoint answered 500\n/);
    expect(shown).toContain('  500  7 ms  the endpoint answered 500');
  });

  it('replay sends one again, what failed since a time, or all of a range', async () => {
    expect((await run('replay', id, all[0]?.id ?? '')).out).toBe(`${all[0]?.id} waits to be sent again.`);
    expect(await count()).toBe('Pending 2, Succeeded 1, Failed 2, Exhausted 1');
    expect((await run('replay', id, '--failed-since', '2020-01-01')).out).toBe(
      '3 deliveries are sent again.',
    );
    expect(await count('--status', 'Pending')).toBe('Pending 5');
    const range = await run('replay', id, '--from', '2020-01-01T00:00:00Z', '--to', '2100-01-01', '--json');
    expect(JSON.parse(range.out)).toEqual({ count: SALES });
  });

  it('replay with --wait ends when none of them waits any more', async () => {
    let hasEnded = false;
    const replaying = run('replay', id, '--failed-since', '2020-01-01', '--wait').finally(
      () => (hasEnded = true),
    );
    await new Promise((resume) => setTimeout(resume, 1_500));
    expect(hasEnded).toBe(false);
    const now = { service: Date.now() + HOUR_MS, real: Date.now() };
    const request = { endpointIds: [id], perEndpointMax: 9, limit: 9, token: 'two', leaseMs: 9_000, now };
    const [batch] = await claim(tables, request);
    const results = (batch?.deliveries ?? []).map(({ deliveryId }): AttemptResult => {
      return { deliveryId, attempt: { at: 1, durationMs: 1, status: 204 }, outcome: { kind: 'Succeeded' } };
    });
    await finish(tables, 'two', results);
    expect(await replaying).toMatchObject({ code: 0, out: '3 deliveries were tried again.' });
  });

  it('a test event is one more delivery', async () => {
    const sent = await run('test', id, '--event-type', 'merchant.approved', '--json');
    expect(JSON.parse(sent.out)).toMatchObject({ eventType: 'merchant.approved', status: 'Pending' });
    expect((await listed()).data).toHaveLength(SALES + 1);
  });

  it('what can not be done is one sentence, with exit code 1', async () => {
    const sentences = [
      [['delivery', id, 'dlv_none'], 'There is no such delivery.'],
      [
        ['replay', 'whe_01JQ0000000000000000000000', '--failed-since', '2020-01-01'],
        'There is no such webhook endpoint.',
      ],
      [['replay', id], 'Give one of: the id of a delivery, --failed-since, or --from with --to.'],
      [['replay', id, 'dlv_1', '--failed-since', '2020-01-01'], 'Give one of:'],
      [['replay', id, '--from', '2020-01-01'], '--from and --to are given together.'],
      [['replay', id, '--from', '2020-01-02', '--to', '2020-01-02'], '--to is after --from.'],
    ] as const;
    for (const [args, sentence] of sentences) {
      const { code, err } = await run(...args);
      expect([args, code, err]).toEqual([args, 1, expect.stringContaining(sentence)]);
    }
    await run('disable', id);
    const disabled = await run('test', id);
    expect([disabled.code, disabled.err]).toEqual([1, 'The endpoint is disabled; enable it first.']);
    expect((await run('deliveries', id, '--since', 'yesterday')).code).toBe(2);
  });
});
