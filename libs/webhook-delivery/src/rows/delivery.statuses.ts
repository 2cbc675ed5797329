import type { DeliveryStatus } from '../delivery.types.js';

export const DELIVERY_STATUSES = [
  'Pending',
  'Succeeded',
  'Failed',
  'Exhausted',
] as const satisfies readonly DeliveryStatus[];

/** Every store keeps a status as its place in `DELIVERY_STATUSES`. */
export const StatusNumber = {
  Pending: 0,
  Succeeded: 1,
  Failed: 2,
  Exhausted: 3,
} as const satisfies Record<DeliveryStatus, number>;

/** @throws RangeError if no status has the number */
export function statusOf(number: number): DeliveryStatus {
  const status = DELIVERY_STATUSES[number];
  if (!status) throw new RangeError(`no status ${number}`);
  return status;
}
