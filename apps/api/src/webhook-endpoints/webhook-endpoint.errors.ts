import { Injectable } from '@nestjs/common';
import { ErrorCode } from '@tillstream/contracts';
import type { WebhookEndpoint } from '@tillstream/domain';
import { WebhookEndpointRejected, type WebhookRejection } from '@tillstream/payments';
import { VaultError } from '@tillstream/vault';
import { detailedError, notFound, notStored, type ApiError } from '../http/api.error.js';
import { ErrorInterceptor, notAppendedError } from '../http/error.interceptor.js';

interface Answer extends Pick<ApiError, 'http' | 'code'> {
  readonly field?: string;
}

const invalidUrl: Answer = { http: 400, code: ErrorCode.RequestValidationGenericError, field: 'url' };
const unknown: Answer = { http: 404, code: ErrorCode.ResourceNotFound };
const unfit: Answer = { http: 400, code: ErrorCode.InvalidTransactionType };

/** The HTTP error of each rejection. A rejected change stored nothing. */
const ANSWERS: Readonly<Record<WebhookRejection['code'], Answer>> = {
  MerchantNotFound: unknown,
  EndpointNotFound: unknown,
  TooManyEndpoints: unfit,
  NeverFailing: unfit,
  EventTypesMissing: {
    http: 400,
    code: ErrorCode.RequestValidationWebhookMissingTypeAndDmnType,
    field: 'eventTypes',
  },
  EventTypeUnknown: {
    http: 400,
    code: ErrorCode.RequestValidationUnsupportedWebhookType,
    field: 'eventTypes',
  },
  UrlTooLong: invalidUrl,
  UrlNotAllowed: invalidUrl,
};

export function foundEndpoint(endpoint: WebhookEndpoint | undefined): WebhookEndpoint {
  if (!endpoint) throw notFound('There is no such webhook endpoint.');
  return endpoint;
}

@Injectable()
export class WebhookEndpointErrors extends ErrorInterceptor {
  protected apiError(error: unknown): ApiError | undefined {
    if (error instanceof WebhookEndpointRejected) return rejectionError(error.rejection);
    if (error instanceof VaultError && error.code === 'Unavailable') return notStored();
    return notAppendedError(error);
  }
}

function rejectionError({ code: rejection, message, details }: WebhookRejection): ApiError {
  const { http, code, field } = ANSWERS[rejection];
  return detailedError(http, code, message, { field, details });
}
