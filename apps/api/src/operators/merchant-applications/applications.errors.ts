import { Injectable } from '@nestjs/common';
import { ErrorCode } from '@tillstream/contracts';
import { MerchantApplicationRejected } from '@tillstream/payments';
import { detailedError, type ApiError } from '../../http/api.error.js';
import { ErrorInterceptor, notAppendedError } from '../../http/error.interceptor.js';
import { noMerchant } from '../merchants/merchants.errors.js';

@Injectable()
export class ApplicationErrors extends ErrorInterceptor {
  protected apiError(error: unknown): ApiError | undefined {
    return error instanceof MerchantApplicationRejected ? rejectionError(error) : notAppendedError(error);
  }
}

function rejectionError({ rejection }: MerchantApplicationRejected): ApiError {
  if (rejection.code === 'MerchantNotFound') return noMerchant();
  const { message, details } = rejection;
  return detailedError(400, ErrorCode.InvalidTransactionType, message, { details });
}
