import {
  EventStoreError,
  MemoryEventStore,
  type ReadStreamOptions,
  type StreamPage,
} from '@tillstream/event-store';
import { eventMetadata } from '../stream-repository/event-metadata.js';
import { ProcessorSwitches } from './processor-switches.js';
import type { Actor } from '../requests/request.types.js';
import { ManualClock } from '../testing/payments.setup.js';

const ada: Actor = { type: 'Operator', name: 'Ada', keyId: 'key_1' };
const bob: Actor = { type: 'Operator', name: 'Bob', keyId: 'key_2' };

class UnreliableEventStore extends MemoryEventStore {
  failsReads = false;
  override readStream(stream: string, options?: ReadStreamOptions): Promise<StreamPage> {
    if (this.failsReads) return Promise.reject(new EventStoreError('Unavailable', 'unavailable'));
    return super.readStream(stream, options);
  }
}

function setup() {
  const clock = new ManualClock();
  const store = new UnreliableEventStore();
  const instance = () => new ProcessorSwitches({ store, clock });
  return { clock, store, instance, here: instance(), there: instance() };
}

describe('a processor switch', () => {
  it('stops the processor at once on its own instance, and returns operator and reason', async () => {
    const { here } = setup();
    expect(await here.stopReason('sandbox')).toBeUndefined();
    const stopped = await here.stop('sandbox', { actor: ada, reason: 'wrong amounts' });
    expect(stopped).toMatchObject({ by: 'Ada', reason: 'wrong amounts' });
    expect(here.stopReason('sandbox')).toBe('wrong amounts');
    expect(here.stopReason('other')).toBeInstanceOf(Promise);
    expect(await here.stopReason('other')).toBeUndefined();
  });

  it('stops and resumes every instance within 2 s', async () => {
    const { here, there, clock } = setup();
    expect(await there.stopReason('sandbox')).toBeUndefined();
    await here.stop('sandbox', { actor: ada, reason: 'wrong amounts' });
    clock.pass(1_999);
    expect(there.stopReason('sandbox')).toBeUndefined();
    // The call above started a new read in the background.
    clock.pass(1);
    expect(await there.stopReason('sandbox')).toBe('wrong amounts');
    await here.resume('sandbox', { actor: bob });
    clock.pass(2_000);
    expect(await there.stopReason('sandbox')).toBeUndefined();
  });

  it('reads in the background after a second, so that no caller waits', async () => {
    const { here, there, clock } = setup();
    await there.stopReason('sandbox');
    await here.stop('sandbox', { actor: ada, reason: 'wrong amounts' });
    clock.pass(1_000);
    expect(there.stopReason('sandbox')).toBeUndefined();
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(there.stopReason('sandbox')).toBe('wrong amounts');
  });

  it('is durable: a new process finds it', async () => {
    const { here, instance } = setup();
    await here.stop('sandbox', { actor: ada, reason: 'wrong amounts' });
    expect(await instance().readStop('sandbox')).toMatchObject({ by: 'Ada' });
  });

  it('rejects if the store can not be read and the cached stop is older than 2 s', async () => {
    const { here, clock, store } = setup();
    await here.stopReason('sandbox');
    store.failsReads = true;
    clock.pass(1_500);
    expect(here.stopReason('sandbox')).toBeUndefined();
    await new Promise((resolve) => setTimeout(resolve, 20));
    clock.pass(500);
    await expect(Promise.resolve(here.stopReason('sandbox'))).rejects.toThrow();
  });

  it('changes once for a repeated command', async () => {
    const { here, store } = setup();
    await here.stop('sandbox', { actor: ada, reason: 'a', commandId: 'one' });
    await here.resume('sandbox', { actor: ada, commandId: 'two' });
    expect(await here.stop('sandbox', { actor: ada, reason: 'a', commandId: 'one' })).toBeUndefined();
    const { events } = await store.readStream('processor-sandbox');
    expect(events.map(({ type }) => type)).toEqual(['ProcessorStopped', 'ProcessorResumed']);
  });

  it('is stopped by one of two concurrent operators', async () => {
    const { here, there, store } = setup();
    const both = await Promise.all([
      here.stop('sandbox', { actor: ada, reason: 'a' }),
      there.stop('sandbox', { actor: bob, reason: 'b' }),
    ]);
    expect(both[0]).toEqual(both[1]);
    expect((await store.readStream('processor-sandbox')).events).toHaveLength(1);
  });

  it('records the operator with name and key, the trace and the reason', async () => {
    const { here, store } = setup();
    await here.stop('sandbox', { actor: ada, reason: 'wrong amounts', traceId: 'a'.repeat(32) });
    const [event] = (await store.readStream('processor-sandbox')).events;
    expect(event && eventMetadata(event)).toMatchObject({
      actor: ada,
      traceId: 'a'.repeat(32),
      reason: 'wrong amounts',
    });
  });

  it('can not stop a processor without a reason', async () => {
    const { here } = setup();
    await expect(here.stop('sandbox', { actor: ada, reason: ' ' })).rejects.toThrow(RangeError);
  });
});
