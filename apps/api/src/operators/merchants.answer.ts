import { ErrorCode } from '@tillstream/contracts';
import { isMerchantId, type Merchant, type MerchantRejection } from '@tillstream/domain';
import { EventStoreError } from '@tillstream/event-store';
import { ProvisioningRejected } from '@tillstream/payments';
import type { Answer } from '../http/answer.js';
import { ApiError, invalidFields, notFound } from '../http/api.error.js';
import type { ApiRequest } from '../http/api.request.js';
import type { KeptAnswers } from '../transactions/kept.answers.js';
import { notStored } from '../transactions/operation.answer.js';
import type { RequestBody } from '../validation/request.body.js';
import type { OperatorRequest } from './merchants.commands.js';
import { operatorActor } from './operator.actor.js';

const generic = ErrorCode.RequestValidationGenericError;
/** What does not fit what is there (`docs/spec/errors.md#when-each-code-is-answered`). */
const state = ErrorCode.InvalidTransactionType;

/** What each refusal looks like over HTTP, in one place: none of them stored anything. */
const CODES: Readonly<
  Record<MerchantRejection['code'], { readonly http: 400 | 404; readonly code: number }>
> = {
  MerchantNotFound: { http: 404, code: ErrorCode.ResourceNotFound },
  ApiKeyNotFound: { http: 404, code: ErrorCode.ResourceNotFound },
  PaymentMethodNotFound: { http: 404, code: ErrorCode.PaymentMethodNotFound },
  CurrencyRequired: { http: 400, code: generic },
  CurrencyNotOffered: { http: 400, code: generic },
  CurrencyUnfit: { http: 400, code: generic },
  CurrencyInUse: { http: 400, code: generic },
  TypeFixed: { http: 400, code: generic },
  FormSettingsUnfit: { http: 400, code: generic },
  DefaultDisabled: { http: 400, code: generic },
  TooManyApiKeys: { http: 400, code: state },
  TooManyPaymentMethods: { http: 400, code: state },
  MerchantExists: { http: 400, code: state },
  PaymentMethodExists: { http: 400, code: state },
};

export const noMerchant = (): ApiError => notFound('There is no such merchant.');
export const noPaymentMethod = (): ApiError =>
  notFound('There is no such payment method.', ErrorCode.PaymentMethodNotFound);

/** The merchant of a path. @throws ApiError 404 where it can't be one: no stream goes by any other name. */
export function merchantIdOf(text: string): string {
  if (!isMerchantId(text)) throw noMerchant();
  return text;
}

export function found(merchant: Merchant | undefined): Merchant {
  if (!merchant) throw noMerchant();
  return merchant;
}

/**
 * A change that an operator asks for, once for its `Idempotency-Key`. What was refused, or not stored for certain, is an
 * envelope, and the key can be used again.
 */
export async function operatorChange(
  kept: KeptAnswers,
  request: ApiRequest,
  asked: RequestBody<unknown>,
  run: (by: OperatorRequest) => Promise<object>,
): Promise<Answer> {
  const actor = operatorActor(request);
  const { traceId } = request;
  return kept.once(request, asked, async (commandId) => {
    try {
      return await run({ actor, traceId, ...(commandId !== undefined && { commandId }) });
    } catch (error) {
      if (error instanceof ProvisioningRejected) throw refusalError(error.refusal);
      if (error instanceof EventStoreError && error.code === 'Unavailable') throw notStored();
      throw error;
    }
  });
}

function refusalError({ code: refusal, message, setting, details }: MerchantRejection): ApiError {
  const { http, code } = CODES[refusal];
  if (setting === undefined && details === undefined) return new ApiError(http, code, message);
  const detail = {
    code,
    ...(setting !== undefined && { field: setting }),
    message,
    ...(details !== undefined && { details }),
  };
  return code === generic
    ? invalidFields([detail])
    : new ApiError(http, code, message, { errorDetails: [detail] });
}
