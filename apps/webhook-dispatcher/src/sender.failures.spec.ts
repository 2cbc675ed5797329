import { setTimeout as sleep } from 'node:timers/promises';
import type { DeliverySender } from '@tillstream/webhook-delivery';
import { SendingFixture } from './testing/sending.fixture.js';

describe('While the deliveries can’t be read, the sender', () => {
  let sending: SendingFixture;
  let isDown = true;
  let sender: DeliverySender;
  beforeEach(async () => {
    isDown = true;
    sending = new SendingFixture();
    const queue = sending.openStore();
    const dueEndpoints: typeof queue.dueEndpoints = async (...args) => {
      if (isDown) throw new Error('the disk is full');
      return queue.dueEndpoints(...args);
    };
    const failing = new Proxy(queue, {
      get: (target, name) =>
        name === 'dueEndpoints' ? dueEndpoints : (Reflect.get(target, name) as () => unknown).bind(target),
    });
    await sending.endpoint();
    sender = sending.start({ queue: failing });
    await sending.events(1);
  });
  afterEach(() => sending.close());

  it('reports that once, and goes on when they can', async () => {
    await sleep(400);
    expect(sending.logged).toEqual(['the disk is full']);
    isDown = false;
    await sending.until(() => sending.sinks[0]?.received.length === 1);
    expect(sending.logged).toEqual(['the disk is full', 'recovered']);
  });

  it('stops without waiting for its next try', async () => {
    // After pauses of 0.1, 0.2, 0.4 and 0.8 s comes one of 1.6 s.
    await sleep(1_600);
    const began = performance.now();
    await sender.stop(0);
    expect(performance.now() - began).toBeLessThan(500);
  });
});
