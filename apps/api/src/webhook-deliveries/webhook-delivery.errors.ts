import { Injectable } from '@nestjs/common';
import { ErrorCode } from '@tillstream/contracts';
import { DeliveryRejected, type DeliveryRejectionCode } from '@tillstream/webhook-delivery';
import { ApiError, conflict, notFound } from '../http/api.error.js';
import { ErrorInterceptor } from '../http/error.interceptor.js';

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

@Injectable()
export class WebhookDeliveryErrors extends ErrorInterceptor {
  protected apiError(error: unknown): ApiError | undefined {
    return error instanceof DeliveryRejected ? ANSWERS[error.code](error.message) : undefined;
  }
}
