import type { EventStoreDbDouble } from '@tillstream/event-store-testing/eventstoredb';
import { setTimeout as pause } from 'node:timers/promises';
import { AllFeed, FeedSignal } from './all.feed.js';
import { DriverClient } from '../connection/driver.client.js';
import { FaultyServers, appendToNewStream } from '../faulty-server.fixture.js';
import { readServerSettings } from '../connection/server.settings.js';
import { compareLogPositions, EventFilter, eventLogPosition, type LogPosition } from '../read/log.event.js';

describe('A feed of the driver', () => {
  const servers = new FaultyServers();
  afterEach(() => servers.closeAll());

  const open = (double: EventStoreDbDouble, buffer: number, categories?: string[]): AllFeed => {
    const client = new DriverClient(readServerSettings(double.url), undefined, false);
    const feed = new AllFeed(client, new EventFilter(categories), undefined, { buffer, mustLead: false });
    servers.closeLater(async () => {
      feed.close();
      client.close();
    });
    return feed;
  };

  it('returns checkpoints and "caught up" in their place among the events, also to a slow reader', async () => {
    const { double, store } = await servers.start();
    for (let round = 0; round < 5; round++) {
      await store.append(appendToNewStream(300));
      await store.append(appendToNewStream(300, 'token'));
    }
    const feed = open(double, 5000, ['payment']);
    // The driver has received and reported everything before the first event is read.
    await settled(feed, 1501);
    const positions: LogPosition[] = [];
    const kinds = new Map<string, number>();
    for (let item = feed.read(); item !== null; item = feed.read()) {
      const kind = item instanceof FeedSignal ? item.kind : 'event';
      kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
      const position = item instanceof FeedSignal ? item.position : eventLogPosition(item);
      if (position !== undefined) positions.push(position);
      if (kind === 'caughtUp') expect(kinds.get('event')).toBe(1500);
    }
    expect(kinds.get('checkpoint')).toBeGreaterThan(1);
    expect(kinds.get('caughtUp')).toBe(1);
    expect(positions).toEqual(positions.toSorted(compareLogPositions));
  });

  it('takes no more from the network than its buffer holds', async () => {
    const { double, store } = await servers.start();
    await store.append(appendToNewStream(2000));
    const feed = open(double, 50);
    await settled(feed, 50);
    expect(feed.buffered).toBeLessThanOrEqual(51);
    let events = 0;
    while (events < 2000) {
      const item = feed.read();
      expect(feed.buffered).toBeLessThanOrEqual(51);
      if (item === null) await feed.wait(1000);
      else if (!(item instanceof FeedSignal)) events += 1;
    }
  });

  it('returns the items that arrived before an error, then throws it at every read', async () => {
    const { double, store } = await servers.start();
    await store.append(appendToNewStream(100));
    double.inject({ kind: 'DropConnection', afterEvents: 40 }, { call: 'subscribe' });
    const feed = open(double, 500);
    await settled(feed, 40);
    let events = 0;
    expect(() => {
      while (feed.read() !== null) events += 1;
    }).toThrow();
    expect(events).toBe(40);
    expect(() => feed.read()).toThrow();
    await feed.wait(10_000);
  });
});

/** Waits until `least` items have arrived and no more arrive. */
async function settled(feed: AllFeed, least: number): Promise<void> {
  const until = performance.now() + 20_000;
  for (let before = -1; feed.buffered < least || feed.buffered !== before; await pause(250)) {
    if (performance.now() > until) throw new Error(`${feed.buffered} arrived, not ${least}`);
    before = feed.buffered;
  }
}
