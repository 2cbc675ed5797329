import {
  ErrorCode,
  RESERVED_ERROR_CODES,
  type ErrorDetail,
  type ErrorEnvelope,
  type ExecutionStatus,
} from '@tillstream/contracts';
import * as s from './response.schema.js';
import { SAMPLE, SAMPLE_TIME, SAMPLE_TRACE_ID } from './samples.js';

/** When each code is answered (`docs/spec/errors.md#when-each-code-is-answered`). */
const WHEN: Readonly<Record<number, string>> = {
  [ErrorCode.AuthenticationGenericError]: 'The API key is missing, malformed, unknown or revoked.',
  [ErrorCode.MerchantNotAuthorizedForResource]:
    'The merchant is disabled, the key may only read and the call writes, or managed webhooks are not enabled for the merchant.',
  [ErrorCode.RequestValidationGenericError]:
    'A field, parameter or header is missing, invalid or unknown, or errors of several kinds came together.',
  [ErrorCode.InvalidPaymentMethodType]: 'The type of the payment method does not fit the operation.',
  [ErrorCode.InvalidTransactionType]: 'The operation does not fit its original, or the state that it is in.',
  [ErrorCode.InvalidAmount]:
    'The amount or breakdown is missing, out of range or above what is open, or an explicit amount is required.',
  [ErrorCode.PaymentMethodUsageRestricted]:
    'The payment method is disabled, or the operation is not enabled for it or for the merchant.',
  [ErrorCode.InvalidAccountHolderInformation]: 'A field of the account holder is invalid.',
  [ErrorCode.InvalidCountryCode]: 'The country is not a code of ISO 3166-1 alpha-2.',
  [ErrorCode.InvalidZipCode]: 'The ZIP or postal code does not fit the country.',
  [ErrorCode.MissingCountryCodeOrZipCode]: 'Only one of country and ZIP code was sent.',
  [ErrorCode.InvalidEmailAddress]: 'The e-mail address is invalid.',
  [ErrorCode.RequestValidationUnsupportedPayload]:
    'The body is not a JSON object in UTF-8, has the same name twice in an object, has another content type, or is over 100 kB.',
  [ErrorCode.RequestValidationWebhookMissingTypeAndDmnType]: 'A webhook endpoint has no types of events.',
  [ErrorCode.RequestValidationUnsupportedWebhookType]:
    'A type of event does not exist, or a legacy endpoint can not have it.',
  [ErrorCode.UnknownServerGenericError]: 'The outcome is not known.',
  [ErrorCode.FailedToCreateSessionInAdapter]:
    'The session of the form could not be created. Nothing happened.',
  [ErrorCode.ResourceNotReadyError]: 'An object that the request needs is not ready yet.',
  [ErrorCode.TransactionNotCompleteYet]:
    'An operation that this one depends on is still open, or the first request with this Idempotency-Key is.',
  [ErrorCode.ResourceNotFound]: 'The object does not exist, or it belongs to another merchant.',
  [ErrorCode.TokenizedCardNotFound]: 'There is no such stored card or bank account, or it was removed.',
  [ErrorCode.PaymentMethodNotFound]: 'There is no such payment method.',
  [ErrorCode.AccountHolderNotFound]: 'There is no such account holder.',
  [ErrorCode.UnhandledGenericError]: 'The service failed; `status` says whether the request was executed.',
};

const EXECUTION_STATUSES: Readonly<Record<ExecutionStatus, string>> = {
  Completed: 'The request completed.',
  Rejected: 'Nothing happened. It is safe to try again once the cause is corrected.',
  Interrupted: 'The outcome is unknown. Look the transaction up before you try again.',
  Unknown: 'What happened could not be determined. Look it up before you try again.',
};

const ERROR_DETAIL = s.shape<ErrorDetail>()('ErrorDetail', 'One error of the request.', {
  code: s.code('The specific code.', codesWithNames(), ErrorCode.InvalidAmount),
  field: s.optional(
    s.text('A JSON path, or the name of a header or parameter.', 'amountBreakdown.tip', { minLength: 1 }),
  ),
  message: s.text('A sentence for a developer.', 'amount must be an integer from 1 to 999999999.'),
  details: s.optional(
    s.text(
      'What was received and what is allowed; of an `Interrupted` operation its transaction id.',
      'received "100", allowed an integer from 1 to 999999999',
    ),
  ),
});

/** The body of every error response. */
export const ERROR_ENVELOPE = s.shape<ErrorEnvelope>()('ErrorEnvelope', 'The body of every error response.', {
  code: s.code('The kind of error.', codesWithNames(), ErrorCode.InvalidAmount),
  status: s.choice('Whether the request was executed, and whether you can try again.', EXECUTION_STATUSES),
  message: s.text('A sentence for a developer.', 'amount must be an integer from 1 to 999999999.'),
  traceId: s.text('The id of the request, equal to `x-trace-id`. Log it.', SAMPLE_TRACE_ID, {
    pattern: '^[0-9a-f]{32}$',
  }),
  timestamp: s.time('When the error occurred.'),
  errorDetails: s.listOf(ERROR_DETAIL, 'The single errors; empty if `message` says everything.'),
});

export function whenAnswered(codes: readonly number[]): string {
  return codes
    .map((one) => {
      const when = WHEN[one];
      if (when === undefined) throw new Error(`error code ${one} is not described`);
      return `| ${one} | ${when} |`;
    })
    .join('\n');
}

/** An example of an envelope with this code. */
export function sampleEnvelope(
  code: number,
  status: ExecutionStatus,
  message = WHEN[code] ?? '',
): ErrorEnvelope {
  const interrupted = { code, message, details: SAMPLE.sale };
  return {
    code,
    status,
    message,
    traceId: SAMPLE_TRACE_ID,
    timestamp: SAMPLE_TIME,
    errorDetails: status === 'Interrupted' ? [interrupted] : [],
  };
}

/** Every code of the interface, with its name. */
function codesWithNames(): readonly (readonly [number, string])[] {
  const note = (code: number): string => (RESERVED_ERROR_CODES.has(code) ? ' (reserved, never sent)' : '');
  return Object.entries(ErrorCode).map(([name, value]) => [value, name + note(value)] as const);
}
