import { setTimeout } from 'node:timers/promises';
import type { Leases } from '@tillstream/event-consumers';

const LEASE = 'first-start';
/** Far longer than what the lease is for. */
const LEASE_MS = 15_000;
const RETRY_MS = 50;

/**
 * Runs the part of a start that only one machine may do at a time. If a machine dies in it, another continues after the
 * lease has run out.
 */
export async function withStartupLease<T>(leases: Leases, work: () => Promise<T>): Promise<T> {
  while (!(await leases.hold(LEASE, LEASE_MS))) await setTimeout(RETRY_MS);
  try {
    return await work();
  } finally {
    await leases.release(LEASE);
  }
}
