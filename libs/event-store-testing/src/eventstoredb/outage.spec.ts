import { describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  aClient,
  aDoubleWithClient,
  readAll,
  closeAfterTest,
  rejectionOf,
  numberedJsonEvents,
  until,
  settledWithin,
} from './double.fixture.js';
import { aRawStreams, pausedSubscription } from './raw-client.fixture.js';
import { recorded } from './recorded-subscription.fixture.js';

describe('a server', () => {
  it('that is killed resets its connections and refuses new ones, and restarts with all acknowledged events', async () => {
    const { double, client } = await aDoubleWithClient();
    await client.appendToStream('s', numberedJsonEvents(1));
    const seen = recorded(client.subscribeToAll());
    await until(() => seen.signs.includes('caughtUp'));
    double.inject({ kind: 'Delay', ms: 400 }, { stream: 'in-hand' });
    const inHand = rejectionOf(client.appendToStream('in-hand', numberedJsonEvents(1)));
    await until(() => double.calls.some(({ stream }) => stream === 'in-hand'));
    const { port } = double;
    await double.stop();
    expect(await inHand).toMatchObject({ type: 'unavailable', code: 14 });
    await until(() => seen.errors.length > 0);
    expect(await rejectionOf(readAll(aClient(double.url).readStream('s')))).toMatchObject({ code: 14 });
    await sleep(450);
    await double.start({ notReadyMs: 1_500 });
    expect(double.port).toBe(port);
    const after = aClient(double.url);
    expect((await rejectionOf(readAll(after.readStream('s'))))['message']).toContain('Server Is Not Ready');
    await sleep(1_500);
    expect(await readAll(after.readStream('s'))).toHaveLength(1);
    expect(await rejectionOf(readAll(after.readStream('in-hand')))).toMatchObject({
      type: 'stream-not-found',
    });
  });

  it('that is frozen keeps connections open and answers nothing until it continues', async () => {
    const { double, client } = await aDoubleWithClient();
    await client.appendToStream('s', numberedJsonEvents(1));
    double.freeze();
    const append = client.appendToStream('s', numberedJsonEvents(1));
    expect(await settledWithin(100, append)).toBe('pending');
    double.thaw();
    expect(await append).toMatchObject({ nextExpectedRevision: 1n });
  });

  it('that is frozen answers no ping either, so a client that sends pings closes the connection', async () => {
    const { double } = await aDoubleWithClient();
    const streams = aRawStreams(double.url, {
      'grpc.keepalive_time_ms': 50,
      'grpc.keepalive_timeout_ms': 50,
    });
    closeAfterTest(async () => streams.close());
    const subscription = await pausedSubscription(streams);
    await sleep(200);
    double.freeze();
    expect(await subscription.readToEnd()).toMatchObject({ code: 14, details: 'Connection dropped' });
    double.thaw();
  });

  it('that is frozen accepts connections and reads from them when it continues', async () => {
    const { double } = await aDoubleWithClient();
    double.freeze();
    const append = aClient(double.url).appendToStream('s', numberedJsonEvents(1));
    expect(await settledWithin(100, append)).toBe('pending');
    double.thaw();
    expect(await append).toMatchObject({ success: true });
  });
});
