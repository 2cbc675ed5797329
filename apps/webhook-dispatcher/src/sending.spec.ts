import { jest } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { RETRY_STEPS_MS } from '@tillstream/webhook-delivery';
import { newLegacySecret, newManagedSecret, verifyWebhook } from '@tillstream/webhooks';
import { Webhook } from 'standardwebhooks';
import { ok, silent, status, type HttpSink } from './testing/http.sink.js';
import { SendingFixture } from './testing/sending.fixture.js';

jest.setTimeout(30_000);

const DAY_MS = 24 * 3_600_000;

let sending: SendingFixture;
beforeEach(() => {
  sending = new SendingFixture();
});
afterEach(() => sending.close());

const sink = (index = 0): HttpSink => {
  const one = sending.sinks[index];
  if (!one) throw new Error(`there is no endpoint ${index}`);
  return one;
};
const headersOf = (one: HttpSink, index = 0): Record<string, string> =>
  (one.received[index]?.headers ?? {}) as Record<string, string>;
const bodyOf = (one: HttpSink, index = 0): string => one.received[index]?.body.toString() ?? '';

describe('A delivery', () => {
  it('is signed for Standard Webhooks in real time, also after the clock was advanced by days', async () => {
    const { secret } = await sending.endpoint();
    sending.advancedMs += 20 * DAY_MS;
    sending.start();
    await sending.events(1);
    await sending.until(() => sink().received.length === 1);
    const headers = headersOf(sink());
    expect(new Webhook(secret).verify(bodyOf(sink()), headers)).toEqual(JSON.parse(bodyOf(sink())));
    const verified = verifyWebhook({ headers, body: bodyOf(sink()) }, { secrets: { managed: secret } });
    expect(verified).toMatchObject({ method: 'Managed', hookId: 'msg_whe_1_1', hookSequence: 1 });
    expect(headers).toMatchObject({
      'content-type': 'application/json',
      'user-agent': 'Tillstream-Webhooks/test',
      'hook-id': 'msg_whe_1_1',
      'hook-sequence': '1',
      'webhook-signature': headers['hook-signature'],
    });
  });

  it('of a legacy endpoint has the checksum of its bytes', async () => {
    const legacy = { id: 'whl_1', method: 'Legacy', secret: newLegacySecret() } as const;
    await sending.endpoint(ok, legacy);
    sending.start();
    await sending.events(1);
    await sending.until(() => sink().received.length === 1);
    const request = { headers: headersOf(sink()), body: bodyOf(sink()) };
    expect(verifyWebhook(request, { secrets: { legacy: legacy.secret } })).toMatchObject({
      method: 'Legacy',
    });
  });

  it('is signed with the old secret too, until its time', async () => {
    const [old, current] = [newManagedSecret(), newManagedSecret()];
    const until = new Date(sending.now() + DAY_MS).toISOString();
    await sending.endpoint(ok, { secret: current, oldSecret: { secret: old, until } });
    sending.start();
    await sending.events(1);
    await sending.until(() => sink().received.length === 1);
    for (const secret of [old, current])
      expect(new Webhook(secret).verify(bodyOf(sink()), headersOf(sink()))).toBeDefined();
    sending.advancedMs += DAY_MS + 1_000;
    await sending.events(1);
    await sending.until(() => sink().received.length === 2);
    expect(headersOf(sink(), 1)['hook-signature']?.split(' ')).toHaveLength(1);
  });

  it('is retried by the schedule of the service’s clock with the same id and bytes, eight times in all', async () => {
    const { id } = await sending.endpoint(status(500));
    sending.start();
    await sending.events(1);
    for (const [index, step] of RETRY_STEPS_MS.entries()) {
      await sending.until(async () => (await sending.deliveries(id))[0]?.tries.length === index + 1);
      const [delivery] = await sending.deliveries(id);
      expect(delivery?.status).toBe('Failed');
      const ended = (delivery?.tries[index]?.at ?? 0) + (delivery?.tries[index]?.durationMs ?? 0);
      const pause = (delivery?.nextTryAt ?? 0) - ended;
      expect(Math.abs(pause - step)).toBeLessThan(100);
      await sleep(30);
      expect(sink().received).toHaveLength(index + 1);
      sending.advancedMs += step + 100;
    }
    await sending.until(async () => (await sending.deliveries(id))[0]?.status === 'Exhausted');
    sending.advancedMs += 30 * DAY_MS;
    await sleep(300);
    expect(sink().received).toHaveLength(8);
    expect(new Set(sink().received.map(({ headers }) => headers['hook-id'])).size).toBe(1);
    expect(new Set(sink().received.map(({ body }) => body.toString())).size).toBe(1);
    const [delivery] = await sending.deliveries(id);
    expect(
      delivery?.tries.every(({ status, error }) => status === 500 && error === 'the endpoint answered 500'),
    ).toBe(true);
  });

  it('waits as long as Retry-After says, up to twice the step', async () => {
    const { id } = await sending.endpoint(status(503, { 'retry-after': '8' }));
    sending.start();
    await sending.events(1);
    await sending.until(async () => (await sending.deliveries(id))[0]?.status === 'Failed');
    const [delivery] = await sending.deliveries(id);
    const pause = (delivery?.nextTryAt ?? 0) - (delivery?.tries[0]?.at ?? 0);
    expect(pause).toBeGreaterThan(8_000);
    expect(pause).toBeLessThan(9_500);
  });

  it('that is redirected has failed', async () => {
    const { id } = await sending.endpoint(status(302, { location: 'http://127.0.0.1:1/' }));
    sending.start();
    await sending.events(1);
    await sending.until(async () => (await sending.deliveries(id))[0]?.status === 'Failed');
    expect((await sending.deliveries(id))[0]?.tries[0]).toMatchObject({ status: 302 });
  });

  it('keeps the answer without card numbers and without the endpoint’s secret', async () => {
    const { id, secret } = await sending.endpoint((_received, response) => {
      response.end(`card 4242424242424242 and ${secret} seen`);
    });
    sending.start();
    await sending.events(1);
    await sending.until(async () => (await sending.deliveries(id))[0]?.status === 'Succeeded');
    const answer = (await sending.deliveries(id))[0]?.tries[0]?.answer;
    expect(Buffer.from(answer ?? []).toString()).toBe('card … and … seen');
  });
});

describe('An endpoint', () => {
  it('has at most eight deliveries in flight, started in the order of hook-sequence', async () => {
    const waiting: (() => void)[] = [];
    await sending.endpoint((_received, response) => void waiting.push(() => response.end()));
    sending.start();
    await sending.events(30);
    await sending.until(() => waiting.length === 8);
    await sleep(50);
    expect(waiting).toHaveLength(8);
    expect([...sink().sequences].sort((a, b) => a - b)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    waiting.splice(0, 1)[0]?.();
    await sending.until(() => sink().received.length === 9);
    expect(sink().sequences[8]).toBe(9);
    sink().answer = ok;
    for (const answer of waiting.splice(0)) answer();
    await sending.until(() => sink().received.length === 30);
    expect(sink().openMax).toBeLessThanOrEqual(8);
    expect([...sink().sequences].sort((a, b) => a - b)).toEqual(Array.from({ length: 30 }, (_, i) => i + 1));
  });

  it('that answers 410 is disabled, and its delivery is not tried again', async () => {
    const { id } = await sending.endpoint(status(410));
    sending.start();
    await sending.events(1);
    await sending.until(async () => (await sending.deliveries(id))[0]?.status === 'Exhausted');
    expect(sending.disabled).toEqual([[id, 'Gone']]);
  });

  it('that answered 410 and is enabled again gets its next delivery within two seconds', async () => {
    const { id } = await sending.endpoint(status(410));
    sending.start();
    await sending.events(1);
    await sending.until(async () => (await sending.deliveries(id))[0]?.status === 'Exhausted');
    sink().answer = ok;
    const enabledAt = performance.now();
    await sending.events(1);
    await sending.until(async () => (await sending.deliveries(id)).some((one) => one.status === 'Succeeded'));
    expect(performance.now() - enabledAt).toBeLessThan(2_000);
  });

  it('that answers 410 stays in the schedule while it can’t be disabled', async () => {
    const { id } = await sending.endpoint(status(410));
    const disable = (): Promise<never> => Promise.reject(new Error('the store is down'));
    sending.start({
      disabling: { disable, log: { disabled: () => undefined, notDisabled: () => undefined } },
    });
    await sending.events(1);
    await sending.until(async () => (await sending.deliveries(id))[0]?.status === 'Failed');
  });

  it.each([
    ['Managed', 'whe_1', newManagedSecret(), [['whe_1', 'Failing']]],
    ['Legacy', 'whl_1', newLegacySecret(), []],
  ] as const)(
    'of the method %s without a success for five days is disabled if it is managed',
    async (method, id, secret, disabled) => {
      await sending.endpoint(status(500), { id, method, secret });
      sending.start();
      await sending.events(1);
      await sending.until(() => sink().received.length === 1);
      sending.advancedMs += 5 * DAY_MS - 60_000;
      await sending.until(() => sink().received.length === 2);
      await sleep(50);
      expect(sending.disabled).toEqual([]);
      sending.advancedMs += DAY_MS;
      await sending.until(() => sink().received.length === 3);
      await sleep(50);
      expect(sending.disabled).toEqual(disabled);
    },
  );

  it('that is dead does not delay the others', async () => {
    const perEndpoint = 150;
    const deliver = async (): Promise<number> => {
      const startedAt = performance.now();
      const wanted = sending.sinks.slice(0, 9).map((one) => one.received.length + perEndpoint);
      await sending.events(perEndpoint);
      await sending.until(
        () => wanted.every((count, index) => sink(index).received.length === count),
        25_000,
      );
      return performance.now() - startedAt;
    };
    const deliverFiveTimes = async (): Promise<number[]> => {
      const rounds: number[] = [];
      while (rounds.length < 5) rounds.push(await deliver());
      return rounds;
    };
    const mean = (rounds: readonly number[]): number =>
      rounds.reduce((sum, ms) => sum + ms, 0) / rounds.length;
    for (let index = 0; index < 10; index++) await sending.endpoint(ok);
    sending.start();
    await deliver();
    const alive = await deliverFiveTimes();
    sink(9).answer = silent;
    const withDead = await deliverFiveTimes();
    const fastestRatio = (): number => Math.min(...withDead) / Math.min(...alive);
    // Other tests run beside this one and can delay five rounds in a row. A dead endpoint would delay all.
    while (fastestRatio() >= 1.5 && withDead.length < 15) withDead.push(await deliver());
    expect(fastestRatio()).toBeLessThan(1.5);
    // A round that waits for the time limit of the dead endpoint takes ten times as long.
    expect(mean(withDead) / mean(alive)).toBeLessThan(3);
  });
});

describe('A sender', () => {
  it('keeps its limits with a long backlog', async () => {
    let inFlightMax = 0;
    for (let index = 0; index < 5; index++)
      await sending.endpoint((_received, response) => void setTimeout(() => response.end(), 2));
    await sending.events(300);
    const sender = sending.start({ limits: { total: 20, perMerchant: 12, perEndpoint: 8 } });
    await sending.until(() => {
      inFlightMax = Math.max(inFlightMax, sender.inFlight);
      return sending.sinks.every(({ received }) => received.length === 300);
    }, 25_000);
    expect(inFlightMax).toBeLessThanOrEqual(12);
    expect(sending.logged).toEqual([]);
  });

  it('shares the deliveries with others on the same file: each is sent once', async () => {
    await sending.endpoint();
    await sending.endpoint();
    sending.start();
    sending.start();
    for (let page = 0; page < 20; page++) await sending.events(25);
    await sending.until(() => sending.sinks.every(({ received }) => received.length >= 500));
    await sleep(50);
    for (const { sequences } of sending.sinks) expect(new Set(sequences).size).toBe(500);
    expect(sending.sinks.map(({ received }) => received.length)).toEqual([500, 500]);
  });

  it('waits at its stop for what is in flight', async () => {
    const { id } = await sending.endpoint(
      (_received, response) => void setTimeout(() => response.end(), 200),
    );
    const sender = sending.start();
    await sending.events(1);
    await sending.until(() => sink().received.length === 1);
    await sender.stop(5_000);
    expect((await sending.deliveries(id))[0]?.status).toBe('Succeeded');
  });

  it('gives back at its stop what takes too long, and the next one sends the same bytes at once', async () => {
    const { id } = await sending.endpoint(silent);
    const sender = sending.start();
    await sending.events(1);
    await sending.until(() => sink().received.length === 1);
    await sender.stop(50);
    sink().answer = ok;
    sending.start();
    await sending.until(async () => (await sending.deliveries(id))[0]?.status === 'Succeeded');
    expect(sink().received).toHaveLength(2);
    expect(bodyOf(sink(), 1)).toBe(bodyOf(sink(), 0));
    expect(headersOf(sink(), 1)['hook-id']).toBe(headersOf(sink(), 0)['hook-id']);
  });
});
