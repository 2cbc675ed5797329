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
    'The merchant is disabled, or the key may only read and the call writes.',
  [ErrorCode.RequestValidationGenericError]:
    'A field, parameter or header is missing, invalid or unknown, or errors of several kinds came together.',
  [ErrorCode.InvalidPaymentMethodType]: 'The type of the payment method does not fit the operation.',
  [ErrorCode.InvalidTransactionType]: 'The operation does not fit its original, or the state that it is in.',
  [ErrorCode.InvalidAmount]:
    'The amount or breakdown is missing, out of range or above what is open, or an explicit amount is required.',
  [ErrorCode.PaymentMethodUsageRestricted]:
    'The payment method is disabled, or the operation is not enabled for it or for the merchant.',
  [ErrorCode.InvalidAccountHolderInformation]: 'Something about the account holder is invalid.',
  [ErrorCode.InvalidCountryCode]: 'The country is no code of ISO 3166-1 alpha-2.',
  [ErrorCode.InvalidZipCode]: 'The ZIP or postal code does not fit the country.',
  [ErrorCode.MissingCountryCodeOrZipCode]: 'Only one of country and ZIP code was sent.',
  [ErrorCode.InvalidEmailAddress]: 'The e-mail address is invalid.',
  [ErrorCode.RequestValidationUnsupportedPayload]:
    'The body is no JSON object in UTF-8, has one name twice in an object, has another content type, or is over 100 kB.',
  [ErrorCode.UnknownServerGenericError]: 'The outcome is not known.',
  [ErrorCode.ResourceNotReadyError]: 'What the request needs is not ready yet.',
  [ErrorCode.TransactionNotCompleteYet]:
    'An operation that this one depends on is still open, or the first request with this Idempotency-Key is.',
  [ErrorCode.ResourceNotFound]: 'There is no such thing, or it is another merchant’s.',
  [ErrorCode.TokenizedCardNotFound]: 'There is no such stored card or bank account, or it was removed.',
  [ErrorCode.PaymentMethodNotFound]: 'There is no such payment method.',
  [ErrorCode.AccountHolderNotFound]: 'There is no such account holder.',
  [ErrorCode.UnhandledGenericError]: 'Something failed; `status` says whether anything happened.',
};

const EXECUTION_STATUSES: Readonly<Record<ExecutionStatus, string>> = {
  Completed: 'The request completed.',
  Rejected: 'Nothing happened. It is safe to try again once the cause is corrected.',
  Interrupted: 'The outcome is unknown. Look the transaction up before you try again.',
  Unknown: 'What happened could not be determined. Look it up before you try again.',
};

const ERROR_DETAIL = s.shape<ErrorDetail>()('ErrorDetail', 'One thing that is wrong.', {
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
  code: s.code('What kind of error it is.', codesWithNames(), ErrorCode.InvalidAmount),
  status: s.choice('What happened to the request, and whether to try again.', EXECUTION_STATUSES),
  message: s.text('A sentence for a developer.', 'amount must be an integer from 1 to 999999999.'),
  traceId: s.text('Names the request; the same as `x-trace-id`. Log it.', SAMPLE_TRACE_ID, {
    pattern: '^[0-9a-f]{32}$',
  }),
  timestamp: s.time('When the error occurred.'),
  errorDetails: s.listOf(ERROR_DETAIL, 'What is wrong, one by one; empty where `message` says it all.'),
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

/** What an envelope with this code looks like. */
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
