import type { RunningRebuild } from '@tillstream/read-models';
import { MetricsRegistry } from './metrics.registry.js';
import { registerRebuildGauges } from './service.gauges.js';

/** A second scrape within half a second gets the first text again. */
const nextScrape = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 510));

describe('The gauges of rebuilds', () => {
  const metrics = new MetricsRegistry({ app: 'test', version: '1', mode: 'sandbox' });
  let running: readonly RunningRebuild[] = [];
  const values = async (): Promise<string[]> =>
    (await metrics.text()).body.split('\n').filter((line) => line.startsWith('tillstream_rebuild_'));
  afterAll(() => metrics.close());

  it('are there while a rebuild runs, and the expected events if they are known', async () => {
    registerRebuildGauges(metrics, { runningRebuilds: () => running });
    expect(await values()).toEqual([]);
    running = [
      { projection: 'transactions', phase: 'Reading', events: 2_000_000, expectedEvents: 5_000_000 },
      { projection: 'tokens', phase: 'Reading', events: 70 },
    ];
    await nextScrape();
    expect(await values()).toEqual([
      'tillstream_rebuild_events{projection="transactions",app="test"} 2000000',
      'tillstream_rebuild_events{projection="tokens",app="test"} 70',
      'tillstream_rebuild_expected_events{projection="transactions",app="test"} 5000000',
    ]);
    running = [];
    await nextScrape();
    expect(await values()).toEqual([]);
  });
});
