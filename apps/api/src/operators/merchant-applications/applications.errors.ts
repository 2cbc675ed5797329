import { Injectable, type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import { ErrorCode } from '@tillstream/contracts';
import { EventStoreError } from '@tillstream/event-store';
import { MerchantApplicationRejected } from '@tillstream/payments';
import { catchError, type Observable } from 'rxjs';
import { detailedError, notStored, type ApiError } from '../../http/api.error.js';
import { noMerchant } from '../merchants/merchants.errors.js';

/** Turns what the use case throws into errors of the API. */
@Injectable()
export class ApplicationErrors implements NestInterceptor {
  intercept(_context: ExecutionContext, next: CallHandler): Observable<unknown> {
    return next.handle().pipe(
      catchError((error: unknown) => {
        if (error instanceof MerchantApplicationRejected) throw rejectionError(error);
        if (error instanceof EventStoreError && error.code === 'Unavailable') throw notStored();
        throw error;
      }),
    );
  }
}

function rejectionError({ rejection }: MerchantApplicationRejected): ApiError {
  if (rejection.code === 'MerchantNotFound') return noMerchant();
  const { message, details } = rejection;
  return detailedError(400, ErrorCode.InvalidTransactionType, message, { details });
}
