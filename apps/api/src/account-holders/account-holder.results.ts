import { ErrorCode, type AccountHolder } from '@tillstream/contracts';
import type { HolderResult, HolderView } from '@tillstream/payments';
import { accountHolderShape } from '@tillstream/presentation';
import { conflict, notFound, notStored, type ApiError } from '../http/api.error.js';
import { rejectionError } from '../transactions/rejection.errors.js';

export function shownHolder({ id, createdAt, updatedAt, ...personal }: HolderView): AccountHolder {
  return accountHolderShape({ id, createdAt, updatedAt, personal });
}

/** @throws ApiError where the change was not made */
export function holderResult(result: HolderResult): AccountHolder {
  switch (result.kind) {
    case 'Done':
      return shownHolder(result.holder);
    case 'Rejected':
      throw rejectionError(result.rejection, { ofPath: ['HolderNotFound'] });
    case 'NotStored':
      throw notStored();
    case 'Contended':
      throw conflict('Too many changes at once to this account holder; nothing was stored. Try again.');
  }
}

export const noHolder = (): ApiError =>
  notFound('There is no such account holder.', ErrorCode.AccountHolderNotFound);
