import { EventStoreError, MemoryEventStore, newEventId, type EventStore } from '@tillstream/event-store';
import { noLog } from '../logging/log.js';
import { Metrics } from './metrics.js';
import { Observability } from './observability.js';
import { noTracing } from './tracing.js';

const about = { app: 'test', version: '1.2.3', mode: 'sandbox' };
const open: Metrics[] = [];
afterEach(() => {
  for (const metrics of open.splice(0)) metrics.close();
});
function createMetrics(): Metrics {
  const metrics = new Metrics(about);
  open.push(metrics);
  return metrics;
}
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
const event = (type: string) => ({ id: newEventId(), type, data: {}, metadata: {} });

describe('Metrics', () => {
  it('of two instances in one process are separate', async () => {
    const [first, second] = [createMetrics(), createMetrics()];
    first.rateLimited.labels().inc();
    expect((await first.text()).body).toContain('tillstream_http_rate_limited_total{app="test"} 1');
    expect((await second.text()).body).toContain('tillstream_http_rate_limited_total{app="test"} 0');
  });

  it('have every value', async () => {
    const metrics = createMetrics();
    for (let count = 1; count <= 600; count++) metrics.readDuration.labels('stream').observe(0.5);
    for (let count = 1; count <= 3; count++) metrics.operations.labels('sale', 'approved').inc();
    const { body } = await metrics.text();
    expect(body).toContain('tillstream_store_read_duration_seconds_count{app="test",kind="stream"} 600');
    expect(body).toContain('tillstream_store_read_duration_seconds_sum{app="test",kind="stream"} 300');
    expect(body).toContain('tillstream_operations_total{type="sale",outcome="approved",app="test"} 3');
    metrics.operations.labels('sale', 'approved').inc();
    await pause(510);
    expect((await metrics.text()).body).toContain(
      'tillstream_operations_total{type="sale",outcome="approved",app="test"} 4',
    );
  });

  it('that can not be measured are left out, and the others are not', async () => {
    const metrics = createMetrics();
    let isAway = false;
    metrics.observableGauge('something', 'Something.', ['of'], () => {
      if (isAway) throw new Error('away');
      return [[7, 'a']];
    });
    expect((await metrics.text()).body).toContain('tillstream_something{of="a",app="test"} 7');
    isAway = true;
    await pause(510);
    const { body } = await metrics.text();
    expect(body).not.toContain('tillstream_something{');
    expect(body).toContain('tillstream_build_info{version="1.2.3"');
  });

  it('drop labels that are no longer measured', async () => {
    const metrics = createMetrics();
    let of = 'a';
    metrics.observableGauge('something', 'Something.', ['of'], () => [[1, of]]);
    await metrics.text();
    of = 'b';
    await pause(510);
    const { body } = await metrics.text();
    expect(body.match(/tillstream_something\{.*/g)).toEqual(['tillstream_something{of="b",app="test"} 1']);
  });
});

describe('An observed store', () => {
  function observed(store: EventStore = new MemoryEventStore()) {
    const metrics = createMetrics();
    const observability = new Observability(metrics, noTracing);
    const lines = async () =>
      (await metrics.text()).body
        .split('\n')
        .filter((line) => /^tillstream_(store_append.*_count|events|store_appends)/.test(line));
    return { metrics, observability, store: observability.store(store), lines };
  }

  it('passes its calls to the store', async () => {
    const { store } = observed();
    const appended = await store.append({ stream: 'a-1', expected: 'none', events: [event('Opened')] });
    expect(appended).toMatchObject({ kind: 'Appended', revision: 0 });
    expect((await store.readStream('a-1')).events.map(({ type }) => type)).toEqual(['Opened']);
    expect((await store.readAll()).events).toHaveLength(1);
  });

  it('counts written events by type, and appends by result', async () => {
    const { store, lines } = observed();
    const append = () =>
      store.append({ stream: 'a-1', expected: 'none', events: [event('Opened'), event('Closed')] });
    await append();
    await append();
    expect(await lines()).toEqual([
      'tillstream_store_append_duration_seconds_count{app="test",result="Appended"} 1',
      'tillstream_store_append_duration_seconds_count{app="test",result="Conflict"} 1',
      'tillstream_store_appends_in_flight{app="test"} 0',
      'tillstream_events_appended_total{type="Opened",app="test"} 1',
      'tillstream_events_appended_total{type="Closed",app="test"} 1',
    ]);
  });

  it('passes errors through, and counts them', async () => {
    const failing = Object.assign(new MemoryEventStore(), {
      append: () => Promise.reject(new EventStoreError('Unknown', 'lost')),
    });
    const { store, lines } = observed(failing);
    await expect(
      store.append({ stream: 'a-1', expected: 'none', events: [event('Opened')] }),
    ).rejects.toThrow('lost');
    expect(await lines()).toEqual([
      'tillstream_store_append_duration_seconds_count{app="test",result="Unknown"} 1',
      'tillstream_store_appends_in_flight{app="test"} 0',
    ]);
  });
});

describe('An observed log', () => {
  it('counts errors by name, and writes all lines', async () => {
    const metrics = createMetrics();
    const written: string[] = [];
    const log = new Observability(metrics, noTracing).log({
      ...noLog,
      info: (name) => void written.push(name),
      error: (name) => void written.push(name),
    });
    log.error('operator-needed');
    log.info('started');
    expect(written).toEqual(['operator-needed', 'started']);
    expect((await metrics.text()).body).toContain(
      'tillstream_alerts_total{event="operator-needed",app="test"} 1',
    );
  });
});

describe('Observed operations', () => {
  it.each(['Interrupted', 'Uncertain'])('count the result %s as interrupted', async (kind) => {
    const metrics = createMetrics();
    const result = { kind, operationId: 'trx_1' };
    const sale = { type: 'sale', span: 'physicalSale' };
    const observed = new Observability(metrics, noTracing).operation(sale, () => Promise.resolve(result));
    expect(await observed).toBe(result);
    expect((await metrics.text()).body).toContain(
      'tillstream_operations_total{type="sale",outcome="interrupted",app="test"} 1',
    );
  });
});
