/**
 * The only fields of log lines, with their types. All other fields are dropped, so that bodies, headers, keys and card
 * numbers are never logged by accident.
 */
const FIELDS: Readonly<Record<string, 'string' | 'number' | 'boolean'>> = {
  event: 'string',
  method: 'string',
  /** A template such as `/v1/transactions/:id`, never the path of the request. */
  route: 'string',
  status: 'number',
  ms: 'number',
  traceId: 'string',
  merchantId: 'string',
  keyId: 'string',
  transactionId: 'string',
  operationId: 'string',
  batchId: 'string',
  settlementId: 'string',
  holderId: 'string',
  stream: 'string',
  /** Of a work item of the resolver; `subject` is the id of its operation. */
  kind: 'string',
  subject: 'string',
  currency: 'string',
  transactions: 'number',
  code: 'number',
  replayed: 'boolean',
  reason: 'string',
  error: 'string',
  stack: 'string',
  mode: 'string',
  host: 'string',
  port: 'number',
  signal: 'string',
  requests: 'number',
  projection: 'string',
  /** Of a damaged list: its path and its new path. */
  file: 'string',
  movedTo: 'string',
  /** Versions of a list's rows, before and after. */
  from: 'number',
  to: 'number',
  events: 'number',
  rows: 'number',
  durationMs: 'number',
  /** Of a rebuild that runs. */
  phase: 'string',
  expectedEvents: 'number',
  percent: 'number',
  eventsPerSecond: 'number',
  leftSeconds: 'number',
  ran: 'number',
  pending: 'number',
};

const MAX_TEXT_LENGTH = 300;
const MAX_STACK_LENGTH = 4_000;

/** The event and the allowed ones of its fields, scrubbed. */
export function loggable(event: string, fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const line: Record<string, unknown> = { event: scrubUnlessId(event, MAX_TEXT_LENGTH) };
  for (const [name, value] of Object.entries(fields)) {
    if (typeof value !== FIELDS[name]) continue;
    const lengthMax = name === 'stack' ? MAX_STACK_LENGTH : MAX_TEXT_LENGTH;
    line[name] = typeof value === 'string' ? scrubUnlessId(value, lengthMax) : value;
  }
  return line;
}

/** The digits of a trace id or of one of our ids are random, and no card number. */
function scrubUnlessId(text: string, lengthMax: number): string {
  const isId = /^(?:[0-9a-f]{32}|[a-z]{3}_[0-9A-HJKMNP-TV-Z]{26})$/.test(text);
  return isId ? text : scrub(text, lengthMax);
}

/** Replaces long runs of digits, and texts that look like a key, with `…`. */
export function scrub(text: string, lengthMax = MAX_TEXT_LENGTH): string {
  return text
    .slice(0, lengthMax)
    .replace(/\b(?:sk_(?:test|live)_|ak_|whsec_|ses_)[A-Za-z0-9+/=]+/g, '…')
    .replace(/\d(?:[ -]?\d){11,18}/g, '…');
}
