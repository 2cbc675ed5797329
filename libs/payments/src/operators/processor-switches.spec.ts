import {
  EventStoreError,
  MemoryEventStore,
  type ReadStreamOptions,
  type StreamPage,
} from '@tillstream/event-store';
import { eventMetadata } from '../stream-repository/event-metadata.js';
import { StreamProcessorSwitches } from './processor-switches.js';
import type { Actor } from '../requests/request.types.js';
import { ManualClock } from '../testing/payments.setup.js';

const ada: Actor = { type: 'Operator', name: 'Ada', keyId: 'key_1' };
const bob: Actor = { type: 'Operator', name: 'Bob', keyId: 'key_2' };

class UnreadableAtTimes extends MemoryEventStore {
  isAway = false;
  override readStream(stream: string, options?: ReadStreamOptions): Promise<StreamPage> {
    if (this.isAway) return Promise.reject(new EventStoreError('Unavailable', 'away'));
    return super.readStream(stream, options);
  }
}

function stage() {
  const clock = new ManualClock();
  const store = new UnreadableAtTimes();
  const instance = () => new StreamProcessorSwitches(store, clock);
  return { clock, store, instance, here: instance(), there: instance() };
}

describe('The switch of a processor', () => {
  it('stops at once where it was turned, and says who did it and why', async () => {
    const { here } = stage();
    expect(await here.stopReason('sandbox')).toBeUndefined();
    const stopped = await here.stop('sandbox', { actor: ada, reason: 'wrong amounts' });
    expect(stopped).toMatchObject({ by: 'Ada', reason: 'wrong amounts' });
    expect(here.stopReason('sandbox')).toBe('wrong amounts');
    expect(here.stopReason('other')).toBeInstanceOf(Promise);
    expect(await here.stopReason('other')).toBeUndefined();
  });

  it('stops every instance within 2 s, and resumes on every instance within 2 s', async () => {
    const { here, there, clock } = stage();
    expect(await there.stopReason('sandbox')).toBeUndefined();
    await here.stop('sandbox', { actor: ada, reason: 'wrong amounts' });
    clock.pass(1_999);
    expect(there.stopReason('sandbox')).toBeUndefined();
    // That look was late enough to begin a new reading.
    clock.pass(1);
    expect(await there.stopReason('sandbox')).toBe('wrong amounts');
    await here.resume('sandbox', { actor: bob });
    clock.pass(2_000);
    expect(await there.stopReason('sandbox')).toBeUndefined();
  });

  it('reads beside the work after a second: nobody waits while there is work', async () => {
    const { here, there, clock } = stage();
    await there.stopReason('sandbox');
    await here.stop('sandbox', { actor: ada, reason: 'wrong amounts' });
    clock.pass(1_000);
    expect(there.stopReason('sandbox')).toBeUndefined();
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(there.stopReason('sandbox')).toBe('wrong amounts');
  });

  it('is durable: a process that begins later finds it', async () => {
    const { here, instance } = stage();
    await here.stop('sandbox', { actor: ada, reason: 'wrong amounts' });
    expect(await instance().readStop('sandbox')).toMatchObject({ by: 'Ada' });
  });

  it('that can not be read rejects once what was believed is older than 2 s', async () => {
    const { here, clock, store } = stage();
    await here.stopReason('sandbox');
    store.isAway = true;
    clock.pass(1_500);
    expect(here.stopReason('sandbox')).toBeUndefined();
    await new Promise((resolve) => setTimeout(resolve, 20));
    clock.pass(500);
    await expect(Promise.resolve(here.stopReason('sandbox'))).rejects.toThrow();
  });

  it('turned twice under one command is turned once', async () => {
    const { here, store } = stage();
    await here.stop('sandbox', { actor: ada, reason: 'a', commandId: 'one' });
    await here.resume('sandbox', { actor: ada, commandId: 'two' });
    expect(await here.stop('sandbox', { actor: ada, reason: 'a', commandId: 'one' })).toBeUndefined();
    const { events } = await store.readStream('processor-sandbox');
    expect(events.map(({ type }) => type)).toEqual(['ProcessorStopped', 'ProcessorResumed']);
  });

  it('turned by two at once is turned by one of them', async () => {
    const { here, there, store } = stage();
    const both = await Promise.all([
      here.stop('sandbox', { actor: ada, reason: 'a' }),
      there.stop('sandbox', { actor: bob, reason: 'b' }),
    ]);
    expect(both[0]).toEqual(both[1]);
    expect((await store.readStream('processor-sandbox')).events).toHaveLength(1);
  });

  it('records the operator with name and key, the trace and the reason', async () => {
    const { here, store } = stage();
    await here.stop('sandbox', { actor: ada, reason: 'wrong amounts', traceId: 'a'.repeat(32) });
    const [event] = (await store.readStream('processor-sandbox')).events;
    expect(event && eventMetadata(event)).toMatchObject({
      actor: ada,
      traceId: 'a'.repeat(32),
      reason: 'wrong amounts',
    });
  });

  it('needs a reason to be stopped', async () => {
    const { here } = stage();
    await expect(here.stop('sandbox', { actor: ada, reason: ' ' })).rejects.toThrow(RangeError);
  });
});
