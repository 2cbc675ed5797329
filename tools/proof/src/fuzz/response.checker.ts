import { API_VERSION, ErrorCode } from '@tillstream/contracts';
import { isResponse, type ExpectedResponse, type HttpResponse, type NoResponse } from './fuzz.request.js';

type JsonObject = Readonly<Record<string, unknown>>;

const of = ErrorCode;
const INVALID = [
  of.RequestValidationGenericError,
  of.InvalidPaymentMethodType,
  of.InvalidTransactionType,
  of.InvalidAmount,
  of.PaymentMethodUsageRestricted,
  of.InvalidAccountHolderInformation,
  of.InvalidCountryCode,
  of.InvalidZipCode,
  of.MissingCountryCodeOrZipCode,
  of.InvalidEmailAddress,
  of.RequestValidationUnsupportedPayload,
  of.RequestValidationWebhookMissingTypeAndDmnType,
  of.RequestValidationUnsupportedWebhookType,
  of.InvalidOrExpiredSession,
  of.SessionExpired,
];
/** The codes of each status (`docs/spec/errors.md#when-each-code-is-answered`). The service uses no other status. */
const CODES: Readonly<Record<number, readonly number[]>> = {
  400: INVALID,
  401: [of.AuthenticationGenericError, of.MerchantNotAuthorizedForResource],
  404: [
    of.ResourceNotFound,
    of.TokenizedCardNotFound,
    of.PaymentMethodNotFound,
    of.AccountHolderNotFound,
    of.InvalidOrExpiredSession,
  ],
  409: [of.ResourceNotReadyError, of.TransactionNotCompleteYet],
  429: [of.UnknownServerGenericError],
};
const ENVELOPE = ['code', 'status', 'message', 'traceId', 'timestamp', 'errorDetails'];
const DETAIL = ['code', 'field', 'message', 'details'];
const JSON_TYPE = 'application/json; charset=utf-8';
const CSV_TYPE = 'text/csv; charset=utf-8; header=present';
/** The first line of a list as CSV (`docs/spec/lists.md#csv`): names of fields, nested with a dot. */
const CSV_HEADER = /^[\w.]+(,[\w.]+)*\r\n/;
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
/** Pages for people; all other responses are JSON. */
const FOR_PEOPLE = /^\/(docs|sandbox|metrics|pay|portal)([/?]|$)/;

export interface CheckResult {
  readonly method: string;
  readonly path: string;
  readonly expected: ExpectedResponse;
  readonly response: HttpResponse | NoResponse;
  /** Texts that must not be in the response. */
  readonly hidden: readonly string[];
  readonly slowestMs: number;
  /** Whether the client accepts CSV. A list is answered so, all else as JSON. Left out: it does not. */
  readonly acceptsCsv?: boolean;
}

/** Returns what is wrong with a response; the same fault gives the same text. */
export function responseErrors(checked: CheckResult): string[] {
  const { method, path, expected, response, hidden, slowestMs, acceptsCsv = false } = checked;
  if (!isResponse(response)) return [`no answer: ${response.why}`];
  const { status, headers, text, ms } = response;
  const wrong: string[] = [];
  if (ms > slowestMs) wrong.push(`answered later than ${slowestMs} ms`);
  if (status >= 500) return [...wrong, `answered ${status}: ${codeIn(text)}`];
  if (expected === 'Refused' && status < 400)
    wrong.push(`a request that must be refused was answered ${status}`);
  const masked = `${text}\n${Object.entries(headers).flat().join('\n')}`;
  if (hidden.some((secret) => masked.includes(secret))) wrong.push('the answer has a hidden text');
  if (status === 200 && FOR_PEOPLE.test(path)) return wrong;
  return [...wrong, ...formErrors(response, method, acceptsCsv)];
}

/** What is wrong with the headers and the body of a response for programs. */
function formErrors(response: HttpResponse, method: string, acceptsCsv: boolean): string[] {
  const { status, headers, text } = response;
  const isCsv = acceptsCsv && status === 200 && headers['content-type'] === CSV_TYPE;
  const wrong = headerErrors(headers, isCsv ? CSV_TYPE : JSON_TYPE);
  if (method === 'HEAD') return text === '' ? wrong : [...wrong, 'an answer to HEAD has a body'];
  if (isCsv) return CSV_HEADER.test(text) ? wrong : [...wrong, 'the CSV has no line of field names'];
  const body = parsed(text);
  if (body === undefined) return [...wrong, 'the body of the answer is no JSON object'];
  return status === 200 ? wrong : [...wrong, ...envelopeErrors(response, body)];
}

function headerErrors(headers: HttpResponse['headers'], contentType: string): string[] {
  const wrong: string[] = [];
  if (!/^[0-9a-f]{32}$/.test(headers['x-trace-id'] ?? '')) wrong.push('x-trace-id is missing or malformed');
  if (headers['x-api-version'] !== API_VERSION) wrong.push('x-api-version is missing or another');
  if (headers['content-type'] !== contentType) wrong.push(`the content type is ${headers['content-type']}`);
  return wrong;
}

function envelopeErrors({ status, headers }: HttpResponse, body: JsonObject): string[] {
  const wrong: string[] = [];
  const codes = CODES[status];
  if (!codes) return [`answered ${status}, which no answer has`];
  if (Object.keys(body).sort().join() !== [...ENVELOPE].sort().join())
    wrong.push(`the envelope has the fields ${Object.keys(body).join(', ')}`);
  const { code, status: execution, message, traceId, timestamp, errorDetails } = body;
  if (!codes.some((known) => known === code)) wrong.push(`${status} has code ${String(code)}`);
  if (execution !== 'Rejected') wrong.push(`${status} has status ${String(execution)}`);
  if (typeof message !== 'string' || message === '') wrong.push('the envelope has no message');
  if (traceId !== headers['x-trace-id']) wrong.push('traceId is not x-trace-id');
  if (typeof timestamp !== 'string' || !INSTANT.test(timestamp)) wrong.push('timestamp is no time');
  if (!Array.isArray(errorDetails) || !errorDetails.every(isDetail)) wrong.push('errorDetails are malformed');
  if (status === 429 && !/^\d+$/.test(headers['retry-after'] ?? '')) wrong.push('429 has no Retry-After');
  return wrong;
}

function isDetail(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const { code, field, message, details } = value as JsonObject;
  return (
    Object.keys(value).every((name) => DETAIL.includes(name)) &&
    Number.isInteger(code) &&
    (field === undefined || typeof field === 'string') &&
    typeof message === 'string' &&
    (details === undefined || typeof details === 'string')
  );
}

/** Whether two responses differ, apart from ids, trace and time. */
export function differs(
  one: HttpResponse | NoResponse,
  two: HttpResponse | NoResponse,
  same: readonly (readonly [string, string])[],
): boolean {
  if (!isResponse(one) || !isResponse(two)) return one.status !== two.status;
  return one.status !== two.status || comparable(one, same) !== comparable(two, same);
}

function comparable({ text }: HttpResponse, same: readonly (readonly [string, string])[]): string {
  const body = parsed(text) ?? {};
  const { traceId: _traceId, timestamp: _timestamp, ...rest } = body;
  return same.flat().reduce((all, id) => all.replaceAll(id, '<id>'), JSON.stringify(rest));
}

function parsed(text: string): JsonObject | undefined {
  try {
    const value = JSON.parse(text) as unknown;
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isObject ? (value as JsonObject) : undefined;
  } catch {
    return undefined;
  }
}

function codeIn(text: string): string {
  const { code, status } = parsed(text) ?? {};
  return `${String(code)} ${String(status)}`;
}
