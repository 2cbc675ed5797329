import { Injectable, type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import { ErrorCode } from '@tillstream/contracts';
import { DeliveryRejected, type DeliveryRejectionCode } from '@tillstream/webhook-delivery';
import { catchError, type Observable } from 'rxjs';
import { ApiError, conflict, notFound } from '../http/api.error.js';

type Answer = (message: string) => ApiError;

const unknown: Answer = (message) => notFound(message);
const unfit: Answer = (message) => new ApiError(400, ErrorCode.InvalidTransactionType, message);

/** The HTTP error of each rejection. */
const ANSWERS: Readonly<Record<DeliveryRejectionCode, Answer>> = {
  EndpointNotFound: unknown,
  DeliveryNotFound: unknown,
  EndpointDisabled: unfit,
  EventTypeUnknown: unfit,
  BodyDeleted: unfit,
  NotYetKnown: conflict,
};

/** Turns rejections into errors of the API. */
@Injectable()
export class WebhookDeliveryErrors implements NestInterceptor {
  intercept(_context: ExecutionContext, next: CallHandler): Observable<unknown> {
    return next.handle().pipe(
      catchError((error: unknown) => {
        if (error instanceof DeliveryRejected) throw ANSWERS[error.code](error.message);
        throw error;
      }),
    );
  }
}
