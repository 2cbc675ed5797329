import { RETRY_STEPS_MS } from '@tillstream/webhook-delivery';
import { ok, status } from './testing/http.sink.js';
import { SendingFixture } from './testing/sending.fixture.js';

let sending: SendingFixture;
beforeEach(() => {
  sending = new SendingFixture();
});
afterEach(() => sending.close());

describe('An endpoint', () => {
  it('is reported when it starts to fail, at its first exhausted delivery, and when it recovers: once each', async () => {
    await sending.endpoint(status(500));
    const { id } = await sending.endpoint(status(500));
    const failing = [sending.start(), sending.start()];
    await sending.events(20);
    for (let attempt = 1; attempt <= RETRY_STEPS_MS.length; attempt++) {
      await sending.until(() => sending.attempts.length === attempt * 40);
      sending.advancedMs += 2 * (RETRY_STEPS_MS[attempt - 1] ?? 0);
    }
    await sending.until(() => sending.attempts.length === 8 * 40);
    await sending.until(async () =>
      (await sending.deliveries(id)).every((delivery) => delivery.status === 'Exhausted'),
    );
    const expected = ['whe_1', 'whe_2'].flatMap((one) => [`${one} Exhausted`, `${one} StartedFailing`]);
    expect(sending.health.toSorted()).toEqual(expected);
    // As after a restart: a process that reported one of them waits a minute before it reports the next change.
    for (const sender of failing) await sender.stop(0);
    sending.start();
    sending.start();
    for (const one of sending.sinks) one.answer = ok;
    await sending.events(20);
    await sending.until(() => sending.attempts.length === 9 * 40);
    await sending.until(() => sending.health.length === 6);
    expect(sending.health.slice(4).toSorted()).toEqual(['whe_1 Recovered', 'whe_2 Recovered']);
  });
});
