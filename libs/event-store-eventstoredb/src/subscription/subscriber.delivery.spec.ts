import type { AllStreamRecordedEvent } from '@eventstore/db-client';
import type { Subscriber } from '@tillstream/event-store';
import { newEventId } from '@tillstream/event-store';
import { SubscriberDelivery } from './subscriber.delivery.js';
import { EventFilter, type LogPosition } from '../read/log.event.js';

describe('The calls of a subscriber', () => {
  const calls: string[] = [];
  const subscriber: Subscriber = {
    onEvent: ({ position }) => void calls.push(`event ${position}`),
    onCheckpoint: (position) => void calls.push(`checkpoint ${position}`),
    onCaughtUp: (position) => void calls.push(`caught up ${position}`),
  };
  const deliveryTo = (to: Subscriber, after?: LogPosition) =>
    new SubscriberDelivery(to, new EventFilter(['payment']), after);
  beforeEach(() => calls.splice(0));

  it('leave out earlier events and checkpoints: those at or below the last position', async () => {
    const delivery = deliveryTo(subscriber, at(10));
    for (const place of [9, 10, 11, 11, 10, 12]) await delivery.deliver(event(place));
    await delivery.advanceTo(at(5));
    await delivery.advanceTo({ commit: 12n, prepare: 0n });
    await delivery.deliverCaughtUp();
    expect(calls).toEqual(['event 11/11', 'event 12/12', 'caught up 12/12']);
    expect(delivery.handledUpTo).toEqual(at(12));
  });

  it('never have a checkpoint at or before an event that follows it', async () => {
    const delivery = deliveryTo(subscriber);
    await delivery.advanceTo(at(10));
    await delivery.advanceTo(at(20));
    expect(calls).toEqual(['checkpoint 10/10']);
    expect(delivery.msUntilCheckpoint()).toBeGreaterThan(900);
    await delivery.deliver(event(30));
    expect(delivery.msUntilCheckpoint()).toBeUndefined();
    await delivery.deliver(event(40, 'token-1'));
    await delivery.deliverCheckpoint();
    expect(calls).toEqual(['checkpoint 10/10', 'event 30/30', 'checkpoint 40/40']);
  });

  it('count an event as handled only after the subscriber has handled it', async () => {
    let release: () => void = () => undefined;
    const delivery = deliveryTo({ onEvent: () => new Promise<void>((resolve) => (release = resolve)) });
    const handled = delivery.deliver(event(10));
    expect(delivery.handledUpTo).toBeUndefined();
    release();
    await handled;
    expect(delivery.handledUpTo).toEqual(at(10));
  });

  it.each<[string, Subscriber]>([
    ['throws', { onEvent: () => thrown() }],
    ['rejects', { onEvent: async () => thrown() }],
    ['throws at a checkpoint', { ...subscriber, onCheckpoint: () => thrown() }],
    ['throws in onCaughtUp', { ...subscriber, onCaughtUp: () => thrown() }],
  ])('ends when it %s, and that is not counted as handled', async (_, broken) => {
    const delivery = deliveryTo(broken);
    const run = async () => {
      await delivery.deliver(event(10));
      await delivery.advanceTo(at(20));
      await delivery.deliverCaughtUp();
    };
    await expect(run()).rejects.toMatchObject({ because: new Error('cannot') });
    if (broken.onCheckpoint === undefined) expect(delivery.handledUpTo).toBeUndefined();
  });
});

function thrown(): never {
  throw new Error('cannot');
}

function at(place: number): LogPosition {
  return { commit: BigInt(place), prepare: BigInt(place) };
}

function event(place: number, streamId = 'payment-1'): AllStreamRecordedEvent {
  const facts = { streamId, id: newEventId(), revision: 0n, type: 'Captured', created: new Date(0) };
  return { ...facts, isJson: true, data: {}, metadata: {}, position: at(place) };
}
