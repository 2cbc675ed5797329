import type { DeliveryFilter, DeliveryStatus } from '../delivery.types.js';
import { DELIVERY_STATUSES } from './delivery.statuses.js';

/** Values of columns of an index, each range in the list's order. */
export interface IndexRange {
  readonly eventId?: string;
  readonly eventType?: string;
  readonly status?: DeliveryStatus;
}

/** Ranges of an index whose rows are in the list's order: one for each combination of values. */
export function rangesOf({ status, eventType, eventId }: DeliveryFilter): readonly IndexRange[] {
  if (eventId) return eventId.map((one) => ({ eventId: one }));
  const ofStatuses = (statuses: readonly DeliveryStatus[]): IndexRange[] =>
    statuses.map((one) => ({ status: one }));
  if (!eventType) return status ? ofStatuses(status) : [{}];
  const ranges = ofStatuses(status ?? DELIVERY_STATUSES);
  return eventType.flatMap((type) => ranges.map((range) => ({ ...range, eventType: type })));
}
