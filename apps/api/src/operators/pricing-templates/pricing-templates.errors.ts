import { Injectable, type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import { ErrorCode } from '@tillstream/contracts';
import { EventStoreError } from '@tillstream/event-store';
import { PricingTemplateRejected } from '@tillstream/payments';
import { catchError, type Observable } from 'rxjs';
import { detailedError, notFound, notStored, type ApiError } from '../../http/api.error.js';
import { noMerchant } from '../merchants/merchants.errors.js';

/** Turns what the use case throws into errors of the API. */
@Injectable()
export class PricingTemplateErrors implements NestInterceptor {
  intercept(_context: ExecutionContext, next: CallHandler): Observable<unknown> {
    return next.handle().pipe(
      catchError((error: unknown) => {
        if (error instanceof PricingTemplateRejected) throw rejectionError(error);
        if (error instanceof EventStoreError && error.code === 'Unavailable') throw notStored();
        throw error;
      }),
    );
  }
}

function rejectionError({ rejection }: PricingTemplateRejected): ApiError {
  switch (rejection.code) {
    case 'MerchantNotFound':
      return noMerchant();
    case 'TemplateNotFound':
      return notFound('There is no such pricing template.');
    case 'FieldInvalid':
      return detailedError(400, ErrorCode.RequestValidationGenericError, rejection.message, rejection);
    case 'TemplateDecided':
    case 'TooManyTemplates':
      return detailedError(400, ErrorCode.InvalidTransactionType, rejection.message, rejection);
  }
}
