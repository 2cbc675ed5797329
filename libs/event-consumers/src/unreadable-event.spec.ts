import {
  EventStoreError,
  MemoryEventStore,
  newEventId,
  UnreadableEvent,
  type ReadAllOptions,
} from '@tillstream/event-store';
import { setTimeout as sleep } from 'node:timers/promises';
import { ConsumerGroup } from './consumer.group.js';
import { MemoryLeases, RecordedEffects, RecordedLog } from './testing/index.js';

const EVENTS = 25;
const DAMAGED = 17;

/** SQLite rejects with the error itself, EventStoreDB with a store's error that it caused. */
const FORMS = {
  'an error of its own': (unreadable: UnreadableEvent): Error => unreadable,
  "the cause of a store's error": (cause: UnreadableEvent): Error =>
    new EventStoreError('Invalid', cause.message, { cause }),
};

describe.each(Object.entries(FORMS))('An event that the store can not read, as %s', (_, form) => {
  let store: MemoryEventStore;
  let effects: RecordedEffects;
  let log: RecordedLog;
  let isDamaged = true;

  beforeEach(async () => {
    [store, effects, log] = [new MemoryEventStore(), new RecordedEffects(), new RecordedLog()];
    isDamaged = true;
    for (let number = 0; number < EVENTS; number++) {
      const events = [{ id: newEventId(), type: 'Counted', data: { number }, metadata: {} }];
      await store.append({ stream: 'test-1', expected: 'any', events });
    }
    for (const method of ['readAll', 'readHeaders'] as const) {
      const read = store[method].bind(store) as (options?: ReadAllOptions) => Promise<never>;
      const guarded = async (options?: ReadAllOptions): Promise<never> => {
        const { events } = await MemoryEventStore.prototype.readAll.call(store, options);
        const damaged = events.find(({ revision }) => revision === DAMAGED);
        if (!isDamaged || !damaged) return read(options);
        const { stream, revision, id, position } = damaged;
        throw form(
          new UnreadableEvent({ stream, revision, id, problem: 'its data is no JSON object' }, position),
        );
      };
      Object.assign(store, { [method]: guarded });
    }
  });

  const group = (): ConsumerGroup =>
    new ConsumerGroup({
      ...{ store, log, leases: new MemoryLeases(), lease: 'tests' },
      consumers: [effects.events('counter')],
    });

  it('halts a consumer after all events before it, and is not skipped', async () => {
    const halted = group();
    void halted.start();
    while (log.lines.length === 0) await sleep(1);
    const checkpoint = effects.checkpoint?.position;
    expect(effects.headers.map(({ revision }) => revision)).toEqual([...Array(DAMAGED).keys()]);
    expect(log.lines).toEqual([
      expect.stringMatching(
        `^counter halted after ${checkpoint}: stream test-1, revision 17, event .*: its data is no JSON object$`,
      ),
    ]);
    expect((await halted.status())[0]).toMatchObject({ state: 'Halted', lagEvents: 1 });
    await halted.stop();
  });

  it('is handled with all events after it when it was restored', async () => {
    await expect(group().catchUp()).rejects.toThrow('its data is no JSON object');
    isDamaged = false;
    expect(await group().catchUp()).toBe(true);
    expect(effects.headers.map(({ revision }) => revision)).toEqual([...Array(EVENTS).keys()]);
  });
});
