import { startTestApi, type TestApi } from '../testing/test.api.js';

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi({ BREAKER_FAILURES: '0' });
});
afterAll(() => api.stop());

class Scraped {
  constructor(readonly text: string) {}

  /** Of one metric, by its labels as they are written. */
  values(name: string): Record<string, number> {
    const lines = this.text
      .split('\n')
      .filter((line) => line.startsWith(`${name}{`) || line.startsWith(`${name} `));
    return Object.fromEntries(
      lines.map((line) => {
        const space = line.lastIndexOf(' ');
        return [line.slice(name.length, space).replace(/,?app="api"/, ''), Number(line.slice(space + 1))];
      }),
    );
  }

  /** The sum over all that have these labels. */
  value(name: string, ...labels: readonly string[]): number {
    const found = Object.entries(this.values(name)).filter(([key]) =>
      labels.every((label) => key.includes(label)),
    );
    return found.reduce((sum, [, one]) => sum + one, 0);
  }
}

async function scrape(): Promise<Scraped> {
  // A second request within half a second gets the first response again.
  await new Promise((resolve) => setTimeout(resolve, 510));
  return new Scraped((await api.get('/metrics', { key: null })).text);
}

describe('GET /metrics', () => {
  it('is Prometheus’ text, without a key', async () => {
    const { status, headers, text } = await api.get('/metrics', { key: null });
    expect(status).toBe(200);
    expect(headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/);
    expect(headers.get('x-trace-id')).toMatch(/^[0-9a-f]{32}$/);
    const form = /^(#.*|[a-z_][a-z0-9_]*(\{.*\})? (-?[0-9.e+-]+|Nan|[+-]Inf))?$/;
    expect(text.split('\n').filter((line) => !form.test(line))).toEqual([]);
  });

  it('counts requests by route template and status, for every path', async () => {
    const { id } = await api.transaction('physical-sale', { amount: 1_000 });
    for (const path of [`/v1/transactions/${id}`, '/v1/transactions/4242424242424242', `/v1/nothing/${id}`]) {
      await api.get(path);
    }
    await api.call('PROPFIND', '/v1/transactions');
    const count = 'tillstream_http_request_duration_seconds_count';
    const scraped = await scrape();
    expect(scraped.value(count, 'route="/v1/transactions/:id"', 'status="200"')).toBe(1);
    expect(scraped.value(count, 'route="/v1/transactions/:id"', 'status="404"')).toBe(1);
    expect(scraped.value(count, 'route="/v1/{*path}"', 'method="GET"')).toBe(1);
    expect(scraped.value(count, 'route="/v1/transactions/physical-sale"', 'method="POST"')).toBe(1);
    expect(scraped.value(count, 'method="OTHER"')).toBe(1);
    expect(scraped.text).not.toMatch(/trx_|mer_|pmt_|4242424242424242|nothing/);
  });

  it('counts requests over the limit', async () => {
    const { key } = await api.otherMerchant({ rateLimitPerSecond: 1 });
    await Promise.all(Array.from({ length: 5 }, () => api.get('/v1/payment-methods', { key })));
    expect((await scrape()).value('tillstream_http_rate_limited_total')).toBeGreaterThanOrEqual(3);
  });

  it('counts operations by type and outcome', async () => {
    const before = (await scrape()).values('tillstream_operations_total');
    const terminal = api.method('Front counter').id;
    const sale = await api.transaction('physical-sale', { amount: 2_000 });
    await api.operation('physical-sale', { amount: 900_051 });
    await api.operation('physical-sale', { amount: 920_001 });
    await api.operation('physical-sale', { amount: 920_004 });
    await api.operation('physical-sale', { amount: 1_000, paymentMethodId: 'pmt_trm_x' });
    await api.transaction('refund', { originalTransactionId: sale.id, amount: 500 });
    await api.setTerminal(terminal, { mode: 'LowBattery' });
    await api.operation('physical-auth', { amount: 1_000 });
    await api.setTerminal(terminal, {});
    await api.remove(await api.token());
    const after = (await scrape()).values('tillstream_operations_total');
    const grown = Object.entries(after).flatMap(([key, count]) =>
      count > (before[key] ?? 0) ? [`${key} ${count - (before[key] ?? 0)}`] : [],
    );
    expect(grown.sort()).toEqual(
      [
        'auth cancelled',
        'refund approved',
        'sale approved',
        'sale declined',
        'sale interrupted',
        'sale not_sent',
        'sale refused',
        'token_create approved',
        'token_remove approved',
      ].map((one) => `{type="${one.split(' ')[0]}",outcome="${one.split(' ')[1]}"} 1`),
    );
  });

  it('has processor, store, rows, alerts and this build', async () => {
    const scraped = await scrape();
    const calls = 'tillstream_processor_call_duration_seconds_count';
    expect(scraped.value(calls, 'call="sale"', 'end="Approved"')).toBeGreaterThan(0);
    expect(scraped.value(calls, 'call="sale"', 'end="NoAnswer"')).toBeGreaterThan(0);
    expect(scraped.value('tillstream_store_append_duration_seconds_count', 'Appended')).toBeGreaterThan(0);
    expect(scraped.value('tillstream_events_appended_total', 'SaleRequested')).toBeGreaterThan(0);
    expect(scraped.value('tillstream_row_write_duration_seconds_count')).toBeGreaterThan(0);
    expect(scraped.values('tillstream_processor_breaker_state')).toEqual({
      '{processor="sandbox",state="Closed"}': 1,
      '{processor="sandbox",state="HalfOpen"}': 0,
      '{processor="sandbox",state="Open"}': 0,
    });
    expect(scraped.value('tillstream_disk_free_bytes')).toBeGreaterThan(1_000_000);
    expect(scraped.value('tillstream_build_info', 'mode="sandbox"', 'version="')).toBe(1);
    expect(scraped.value('nodejs_eventloop_lag_p99_seconds')).toBeGreaterThan(0);
    expect(scraped.values('tillstream_processor_stopped')).toEqual({ '{processor="sandbox"}': 0 });
    expect(Object.keys(scraped.values('tillstream_projection_lag_events'))).toContain(
      '{projection="transactions"}',
    );
    expect(scraped.values('tillstream_ready')).toMatchObject({ '{check="stores"}': 1, '{check="disk"}': 1 });
  });

  it('counts requests with an Idempotency-Key among the appends', async () => {
    const before = (await scrape()).value('tillstream_events_appended_total', 'SaleRequested');
    await api.operation('physical-sale', { amount: 1_000 }, { headers: { 'idempotency-key': 'counted' } });
    expect((await scrape()).value('tillstream_events_appended_total', 'SaleRequested')).toBe(before + 1);
  });

  it('has the unknown outcomes: their number, age and amounts', async () => {
    const own = await startTestApi({ INQUIRY_MARGIN_MS: '60000' });
    await own.operation('physical-sale', { amount: 920_001 });
    await own.operation('physical-sale', { amount: 920_002, paymentMethodId: own.method('Mobile').id });
    const end = performance.now() + 20_000;
    let text = '';
    while (!text.includes('tillstream_held_amount_cents{currency="CAD",app="api"} 920002')) {
      if (performance.now() > end) throw new Error(text.replace(/^(?!tillstream_(held|unknown)).*\n/gm, ''));
      await new Promise((resolve) => setTimeout(resolve, 300));
      text = (await own.get('/metrics', { key: null })).text;
    }
    expect(text).toContain('tillstream_held_amount_cents{currency="USD",app="api"} 920001');
    expect(text).toMatch(/tillstream_unknown_outcomes_open\{app="api"\} 2/);
    expect(text).toMatch(/tillstream_unknown_outcome_oldest_age_seconds\{app="api"\} \d/);
    expect(text).toContain('tillstream_late_approvals{app="api"} 0');
    await own.stop();
  });

  it('scraped by many at once is made once', async () => {
    const replies = await Promise.all(Array.from({ length: 20 }, () => api.get('/metrics', { key: null })));
    expect(new Set(replies.map(({ text }) => text)).size).toBeLessThanOrEqual(2);
  });
});
