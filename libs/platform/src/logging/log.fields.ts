/**
 * The only fields that a log line can have, and of which kind. Everything else is dropped, whoever hands it over:
 * bodies, headers, keys and card numbers can't get in by accident.
 */
const FIELDS: Readonly<Record<string, 'string' | 'number' | 'boolean'>> = {
  event: 'string',
  method: 'string',
  /** A template such as `/v1/transactions/:id`, never the path that was asked for. */
  route: 'string',
  status: 'number',
  ms: 'number',
  traceId: 'string',
  merchantId: 'string',
  keyId: 'string',
  transactionId: 'string',
  operationId: 'string',
  batchId: 'string',
  holderId: 'string',
  stream: 'string',
  /** Of a piece of the resolver's work, with `subject`, the id of what it is about. */
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
  /** Of a damaged list: its path, and where it was moved. */
  file: 'string',
  movedTo: 'string',
  /** Versions of a list's rows, before and after. */
  from: 'number',
  to: 'number',
  events: 'number',
  rows: 'number',
  durationMs: 'number',
  ran: 'number',
  pending: 'number',
};

const MAX_TEXT_LENGTH = 300;
const MAX_STACK_LENGTH = 4_000;

/** What of an event and its `fields` may be logged. */
export function loggable(event: string, fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const kept: Record<string, unknown> = { event: scrubCached(event, MAX_TEXT_LENGTH) };
  for (const name of Object.keys(fields)) {
    const kind = FIELDS[name];
    const value = fields[name];
    if (kind === undefined || typeof value !== kind) continue;
    kept[name] =
      typeof value === 'string'
        ? scrubCached(value, name === 'stack' ? MAX_STACK_LENGTH : MAX_TEXT_LENGTH)
        : value;
  }
  return kept;
}

/** Routes, methods and the like, in which there was nothing to scrub: they are looked at once. */
const known = new Set<string>();
const MOST_KNOWN = 500;
const LONGEST_KNOWN = 80;

function scrubCached(text: string, longest: number): string {
  if (known.has(text) || isOurId(text)) return text;
  const harmlessText = scrub(text, longest);
  const isKept = text.length <= LONGEST_KNOWN && known.size < MOST_KNOWN && harmlessText === text;
  if (isKept) known.add(text);
  return harmlessText;
}

/** A trace id, or an id with our prefix: its digits are chance. */
function isOurId(text: string): boolean {
  return /^(?:[0-9a-f]{32}|[a-z]{3}_[0-9A-HJKMNP-TV-Z]{26})$/.test(text);
}

/** The second net, for texts of errors: long runs of digits and anything that looks like a key become `…`. */
export function scrub(text: string, longest = MAX_TEXT_LENGTH): string {
  return text
    .slice(0, longest)
    .replace(/\b(?:sk_(?:test|live)_|ak_|whsec_|ses_)[A-Za-z0-9+/=]+/g, '…')
    .replace(/\d(?:[ -]?\d){11,18}/g, '…');
}
