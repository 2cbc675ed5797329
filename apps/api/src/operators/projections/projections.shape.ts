import { ErrorCode, type Projection } from '@tillstream/contracts';
import { RebuildRefused, type ProjectionStatus } from '@tillstream/read-models';
import { ApiError, notFound } from '../../http/api.error.js';

export function projectionShape({
  name,
  status,
  reason,
  position,
  lagEvents,
  updatedAt,
}: ProjectionStatus): Projection {
  return {
    name,
    status,
    ...(reason !== undefined && { reason }),
    ...(position !== undefined && { position }),
    lagEvents,
    updatedAt,
  };
}

export const noProjection = (): ApiError => notFound('There is no such projection.');

/** A rebuild that runs already is 409/3401. Any other error passes through. */
export function asConflict(error: unknown): unknown {
  if (!(error instanceof RebuildRefused)) return error;
  return new ApiError(
    409,
    ErrorCode.TransactionNotCompleteYet,
    `The projection can not be rebuilt now: ${error.reason}.`,
  );
}
