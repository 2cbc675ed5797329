import type { DeliveryStore } from '../delivery.store.port.js';

/** A place for the tables of one adapter. */
export interface DeliveriesUnderTest {
  /** Opens the same tables again, as another process does. The test closes nothing. */
  open(): Promise<DeliveryStore>;
  /** Another place, empty. */
  another(): Promise<DeliveriesUnderTest>;
  /** Deletes the tables while they are open. */
  lose(): Promise<void>;
  /** Runs of each property. */
  readonly runs: number;
  /** Closes and removes everything, other places included. */
  remove(): Promise<void>;
}

export type OpenDeliveries = () => Promise<DeliveriesUnderTest>;
