import { ErrorCode, type AccountHolder } from '@tillstream/contracts';
import type { HolderResult, HolderView } from '@tillstream/payments';
import { accountHolderShape } from '@tillstream/presentation';
import { notFound, type ApiError } from '../http/api.error.js';
import { conflict, notStored } from '../transactions/operation.answer.js';
import { refusalError } from '../transactions/refusal.answer.js';

export function shownHolder({ id, createdAt, updatedAt, ...personal }: HolderView): AccountHolder {
  return accountHolderShape({ id, createdAt, updatedAt, personal });
}

/** @throws ApiError where it was not done. */
export function holderAnswer(result: HolderResult): AccountHolder {
  switch (result.kind) {
    case 'Done':
      return shownHolder(result.holder);
    case 'Refused':
      throw refusalError(result.refusal, { ofPath: ['HolderNotFound'] });
    case 'NotStored':
      throw notStored();
    case 'Contended':
      throw conflict('Too many changes at once to this account holder; nothing was stored. Try again.');
  }
}

export const noHolder = (): ApiError =>
  notFound('There is no such account holder.', ErrorCode.AccountHolderNotFound);
