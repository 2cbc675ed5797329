import type { AllStreamRecordedEvent } from '@eventstore/db-client';
import type { Subscriber } from '@tillstream/event-store';
import { newEventId } from '@tillstream/event-store';
import type { Place } from './position.text.js';
import { SubscriberDelivery } from './subscriber.delivery.js';
import { Wanted } from './wanted.events.js';

describe('What a subscriber is told', () => {
  const told: string[] = [];
  const subscriber: Subscriber = {
    event: ({ position }) => void told.push(`event ${position}`),
    checkpoint: (position) => void told.push(`checkpoint ${position}`),
    caughtUp: (position) => void told.push(`caught up ${position}`),
  };
  const deliveryTo = (to: Subscriber, after?: Place) =>
    new SubscriberDelivery(to, new Wanted(['payment']), after);
  beforeEach(() => told.splice(0));

  it('leaves out what was told before: events and checkpoints at or below the last place', async () => {
    const delivery = deliveryTo(subscriber, at(10));
    for (const place of [9, 10, 11, 11, 10, 12]) await delivery.event(event(place));
    await delivery.passed(at(5));
    await delivery.passed({ commit: 12n, prepare: 0n });
    await delivery.caughtUp();
    expect(told).toEqual(['event 11/11', 'event 12/12', 'caught up 12/12']);
    expect(delivery.seen).toEqual(at(12));
  });

  it('never has a checkpoint at or before an event that follows it', async () => {
    const delivery = deliveryTo(subscriber);
    await delivery.passed(at(10));
    await delivery.passed(at(20));
    expect(told).toEqual(['checkpoint 10/10']);
    expect(delivery.checkpointDueIn()).toBeGreaterThan(900);
    await delivery.event(event(30));
    expect(delivery.checkpointDueIn()).toBeUndefined();
    await delivery.event(event(40, 'token-1'));
    await delivery.tellCheckpoint();
    expect(told).toEqual(['checkpoint 10/10', 'event 30/30', 'checkpoint 40/40']);
  });

  it('counts an event as handled only when the subscriber is done with it', async () => {
    let release: () => void = () => undefined;
    const delivery = deliveryTo({ event: () => new Promise<void>((resolve) => (release = resolve)) });
    const handled = delivery.event(event(10));
    expect(delivery.seen).toBeUndefined();
    release();
    await handled;
    expect(delivery.seen).toEqual(at(10));
  });

  it.each<[string, Subscriber]>([
    ['throws', { event: () => thrown() }],
    ['rejects', { event: async () => thrown() }],
    ['throws at a checkpoint', { ...subscriber, checkpoint: () => thrown() }],
    ['throws when told that it has caught up', { ...subscriber, caughtUp: () => thrown() }],
  ])('ends when it %s, and that is not counted as handled', async (_, broken) => {
    const delivery = deliveryTo(broken);
    const run = async () => {
      await delivery.event(event(10));
      await delivery.passed(at(20));
      await delivery.caughtUp();
    };
    await expect(run()).rejects.toMatchObject({ because: new Error('cannot') });
    if (broken.checkpoint === undefined) expect(delivery.seen).toBeUndefined();
  });
});

function thrown(): never {
  throw new Error('cannot');
}

function at(place: number): Place {
  return { commit: BigInt(place), prepare: BigInt(place) };
}

function event(place: number, streamId = 'payment-1'): AllStreamRecordedEvent {
  const facts = { streamId, id: newEventId(), revision: 0n, type: 'Captured', created: new Date(0) };
  return { ...facts, isJson: true, data: {}, metadata: {}, position: at(place) };
}
