import { afterEach, beforeEach, describe } from '@jest/globals';
import { newEventId, type EventStore, type NewEvent } from '@tillstream/event-store';
import { appendContract } from './append.contract.js';
import { headersContract } from './headers.contract.js';
import { idempotentAppendContract } from './idempotent-append.contract.js';
import { readContract } from './read.contract.js';
import { subscriptionContract } from './subscription.contract.js';
import { transactContract } from './transact.contract.js';

/** The stores of one adapter, for its contract test. */
export interface StoresUnderTest {
  /** Appended events exist when the place is opened again after `close`. */
  readonly durable: boolean;
  /** Two stores that are open in one place at the same time share it, as two processes do. */
  readonly multiProcess: boolean;
  /** Makes the place of a test's store. It may hold other events, because each test uses its own streams and category. */
  place(): Promise<StorePlace>;
}

export interface StorePlace {
  open(): Promise<EventStore>;
  /** Called after all stores of the place are closed. */
  remove(): Promise<void>;
}

/** Used by the parts of the suite: a new place, and streams that no other test uses. */
export interface ContractTest extends Pick<StoresUnderTest, 'durable' | 'multiProcess'> {
  readonly store: EventStore;
  /** A category that no other test uses. */
  readonly category: string;
  stream(): string;
  /** Opens another store in the same place. The suite closes it after the test. */
  another(): Promise<EventStore>;
  /** Closes the store and opens its place again. */
  reopen(): Promise<EventStore>;
}

/**
 * The rules of the `EventStore` port, for a jest spec of an adapter: `eventStoreContract('X', storesOfX)`.
 */
export function eventStoreContract(name: string, stores: StoresUnderTest): void {
  describe(`${name} as an event store`, () => {
    const open: EventStore[] = [];
    let place: StorePlace;
    let store: EventStore;
    let category = '';
    const another = async (): Promise<EventStore> => {
      const opened = await place.open();
      open.push(opened);
      return opened;
    };
    const test: ContractTest = {
      durable: stores.durable,
      multiProcess: stores.multiProcess,
      get store() {
        return store;
      },
      get category() {
        return category;
      },
      stream: () => `${category}-${newEventId()}`,
      another,
      reopen: async () => {
        await store.close();
        return (store = await another());
      },
    };

    beforeEach(async () => {
      place = await stores.place();
      store = await another();
      category = `test${newEventId().replaceAll('-', '')}`;
    });

    afterEach(async () => {
      await Promise.all(open.splice(0).map((opened) => opened.close()));
      await place.remove();
    });

    appendContract(test);
    idempotentAppendContract(test);
    readContract(test);
    headersContract(test);
    subscriptionContract(test);
    transactContract(test);
  });
}

/** A new event; its data hold the number. */
export function numberedEvent(number: number, type = 'Counted'): NewEvent {
  return { id: newEventId(), type, data: { number }, metadata: {} };
}

/** `count` new events, numbered from 0. */
export function numberedEvents(count: number): NewEvent[] {
  return Array.from({ length: count }, (_, number) => numberedEvent(number));
}
