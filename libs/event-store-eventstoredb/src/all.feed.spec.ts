import type { EventStoreDbDouble } from '@tillstream/event-store-testing/eventstoredb';
import { setTimeout as pause } from 'node:timers/promises';
import { AllFeed, FeedMark } from './all.feed.js';
import { DriverClient } from './driver.client.js';
import { FaultyServers, newStream } from './faulty-server.fixture.js';
import { comparePlaces, type Place } from './position.text.js';
import { placeOfEvent } from './recorded.event.js';
import { serverOf } from './server.settings.js';
import { Wanted } from './wanted.events.js';

describe('A feed of the driver', () => {
  const servers = new FaultyServers();
  afterEach(() => servers.closeAll());

  const open = (double: EventStoreDbDouble, buffer: number, categories?: string[]): AllFeed => {
    const client = new DriverClient(serverOf(double.url), undefined, false);
    const feed = new AllFeed(client, new Wanted(categories), undefined, { buffer, mustLead: false });
    servers.closeLater(async () => {
      feed.close();
      client.close();
    });
    return feed;
  };

  it('gives checkpoints and "caught up" in their place among the events, however slowly it is read', async () => {
    const { double, store } = await servers.start();
    for (let round = 0; round < 5; round++) {
      await store.append(newStream(300));
      await store.append(newStream(300, 'token'));
    }
    const feed = open(double, 5000, ['payment']);
    // All has arrived, and the driver has told of everything, before the first event is read.
    await settled(feed, 1501);
    const places: Place[] = [];
    const kinds = new Map<string, number>();
    for (let item = feed.read(); item !== null; item = feed.read()) {
      const kind = item instanceof FeedMark ? item.kind : 'event';
      kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
      const place = item instanceof FeedMark ? item.place : placeOfEvent(item);
      if (place !== undefined) places.push(place);
      if (kind === 'caughtUp') expect(kinds.get('event')).toBe(1500);
    }
    expect(kinds.get('checkpoint')).toBeGreaterThan(1);
    expect(kinds.get('caughtUp')).toBe(1);
    expect(places).toEqual(places.toSorted(comparePlaces));
  });

  it('takes no more from the network than its buffer holds', async () => {
    const { double, store } = await servers.start();
    await store.append(newStream(2000));
    const feed = open(double, 50);
    await settled(feed, 50);
    expect(feed.waiting).toBeLessThanOrEqual(51);
    let events = 0;
    while (events < 2000) {
      const item = feed.read();
      expect(feed.waiting).toBeLessThanOrEqual(51);
      if (item === null) await feed.wait(1000);
      else if (!(item instanceof FeedMark)) events += 1;
    }
  });

  it('gives what came before an error, then throws it at every read', async () => {
    const { double, store } = await servers.start();
    await store.append(newStream(100));
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

/** So many have arrived, and nothing more comes. */
async function settled(feed: AllFeed, least: number): Promise<void> {
  const until = performance.now() + 20_000;
  for (let before = -1; feed.waiting < least || feed.waiting !== before; await pause(250)) {
    if (performance.now() > until) throw new Error(`${feed.waiting} arrived, not ${least}`);
    before = feed.waiting;
  }
}
