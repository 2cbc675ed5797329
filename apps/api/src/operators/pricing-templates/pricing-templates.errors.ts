import { Injectable } from '@nestjs/common';
import { ErrorCode } from '@tillstream/contracts';
import { PricingTemplateRejected } from '@tillstream/payments';
import { detailedError, notFound, type ApiError } from '../../http/api.error.js';
import { ErrorInterceptor, notAppendedError } from '../../http/error.interceptor.js';
import { noMerchant } from '../merchants/merchants.errors.js';

@Injectable()
export class PricingTemplateErrors extends ErrorInterceptor {
  protected apiError(error: unknown): ApiError | undefined {
    return error instanceof PricingTemplateRejected ? rejectionError(error) : notAppendedError(error);
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
