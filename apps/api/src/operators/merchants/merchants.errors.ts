import { Injectable } from '@nestjs/common';
import { ErrorCode } from '@tillstream/contracts';
import { isMerchantId, type Merchant, type MerchantRejection } from '@tillstream/domain';
import { ProvisioningRejected } from '@tillstream/payments';
import { detailedError, notFound, type ApiError } from '../../http/api.error.js';
import { ErrorInterceptor, notAppendedError } from '../../http/error.interceptor.js';

const notFoundOf = (code: number) => ({ http: 404, code }) as const;
const invalid = { http: 400, code: ErrorCode.RequestValidationGenericError } as const;
/** The change does not fit the current state (`docs/spec/errors.md#when-each-code-is-answered`). */
const unfit = { http: 400, code: ErrorCode.InvalidTransactionType } as const;

/** The HTTP error of each rejection. A rejected change stored nothing. */
const CODES: Readonly<Record<MerchantRejection['code'], Pick<ApiError, 'http' | 'code'>>> = {
  MerchantNotFound: notFoundOf(ErrorCode.ResourceNotFound),
  ApiKeyNotFound: notFoundOf(ErrorCode.ResourceNotFound),
  PaymentMethodNotFound: notFoundOf(ErrorCode.PaymentMethodNotFound),
  CurrencyRequired: invalid,
  CurrencyNotOffered: invalid,
  CurrencyUnfit: invalid,
  CurrencyInUse: invalid,
  TypeFixed: invalid,
  FormSettingsUnfit: invalid,
  DefaultDisabled: invalid,
  TooManyApiKeys: unfit,
  TooManyPaymentMethods: unfit,
  MerchantExists: unfit,
  PaymentMethodExists: unfit,
};

export const noMerchant = (): ApiError => notFound('There is no such merchant.');
export const noPaymentMethod = (): ApiError =>
  notFound('There is no such payment method.', ErrorCode.PaymentMethodNotFound);

/** The merchant id of a path. @throws ApiError 404 where it has not the form of one */
export function merchantIdOf(text: string): string {
  if (!isMerchantId(text)) throw noMerchant();
  return text;
}

export function found(merchant: Merchant | undefined): Merchant {
  if (!merchant) throw noMerchant();
  return merchant;
}

/** On controllers of changes of merchants. */
@Injectable()
export class MerchantErrors extends ErrorInterceptor {
  protected apiError(error: unknown): ApiError | undefined {
    return error instanceof ProvisioningRejected ? rejectionError(error.rejection) : notAppendedError(error);
  }
}

function rejectionError({ code: rejection, message, setting, details }: MerchantRejection): ApiError {
  const { http, code } = CODES[rejection];
  return detailedError(http, code, message, { field: setting, details });
}
