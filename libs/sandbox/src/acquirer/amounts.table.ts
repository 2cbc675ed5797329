import type { Cents } from '@tillstream/domain';
import type { AcquirerRequest, Operation } from './acquirer.types.js';

export type AmountEffect =
  /** The issuer responds with ISO 8583 response code n. */
  | 'IsoCode'
  /** The terminal ends the request with result code n, before it reaches the issuer. */
  | 'TerminalEnds'
  /** The gateway responds with our code n. */
  | 'GatewayCode'
  /** The request executes, and the response is lost. */
  | 'AnswerLost'
  /** The first send never arrives; a repeat executes. */
  | 'FirstSendLost'
  /** The response is lost, and the first three inquiries fail. */
  | 'InquiriesFail'
  /** Refused before anything is sent. */
  | 'ConnectionRefused'
  /** Approved after 5 s. */
  | 'Slow'
  /** A late execution: inquiries and annulments say "not executed", and the key executes after the deadline. */
  | 'BreaksItsWord'
  /** Approved, and the acquirer's batch closes at once. */
  | 'ClosesBatch';

interface AmountRow {
  readonly base: Cents;
  /** The amounts of the row are `base + n`; default: `base` alone. */
  readonly n?: readonly number[];
  readonly on: readonly Operation[];
  readonly onlyOnTerminals?: true;
  readonly effect: AmountEffect;
}

const FROM_CARDS: readonly Operation[] = ['Sale', 'Authorize', 'UnreferencedRefund'];
const FOLLOW_UPS: readonly Operation[] = ['Capture', 'Void', 'Refund'];
/** Not `Reverse`: the service repairs the effects of these amounts by its reversals. */
const ANY: readonly Operation[] = [...FROM_CARDS, ...FOLLOW_UPS];
const numbersUpTo = (last: number) => Array.from({ length: last + 1 }, (_, n) => n);
/** All response codes but 1, 2 and 57, which are no refusals. */
const REFUSALS = [0, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 50, 51, 52, 53, 54, 55, 56];
const TERMINAL_RESULTS = [
  1003, 1005, 3000, 3002, 3005, 3006, 3009, 3010, 3011, 3012, 3013, 3014, 3020, 9998, 9999,
];

/** Cents. A row applies only to a request that would be approved without it; `TerminalEnds` applies before the card. */
export const AMOUNT_ROWS: readonly AmountRow[] = [
  { base: 900_000, n: numbersUpTo(99), on: FROM_CARDS, effect: 'IsoCode' },
  { base: 910_000, n: TERMINAL_RESULTS, on: FROM_CARDS, onlyOnTerminals: true, effect: 'TerminalEnds' },
  { base: 920_001, on: ANY, effect: 'AnswerLost' },
  { base: 920_002, on: ANY, effect: 'FirstSendLost' },
  { base: 920_003, on: ANY, effect: 'InquiriesFail' },
  { base: 920_004, on: ANY, effect: 'ConnectionRefused' },
  { base: 920_005, on: ANY, effect: 'Slow' },
  { base: 920_006, on: ANY, effect: 'BreaksItsWord' },
  { base: 930_000, n: REFUSALS, on: FOLLOW_UPS, effect: 'GatewayCode' },
  { base: 940_000, n: [0, 19, 20, 50, 51, 52, 53, 54, 55, 56], on: FROM_CARDS, effect: 'GatewayCode' },
  { base: 950_001, on: ['Sale', 'Capture'], effect: 'ClosesBatch' },
];

export interface AmountTrigger {
  readonly effect: AmountEffect;
  readonly n: number;
}

const ROWS_BY_AMOUNT = new Map<Cents, AmountRow>(
  AMOUNT_ROWS.flatMap((row) => (row.n ?? [0]).map((n) => [row.base + n, row] as const)),
);

/** @param atTerminal the request has just reached its terminal: only then `TerminalEnds` applies */
export function amountTrigger(
  { operation, amount }: Pick<AcquirerRequest, 'operation' | 'amount'>,
  atTerminal = false,
): AmountTrigger | undefined {
  const row = ROWS_BY_AMOUNT.get(amount);
  if (!row?.on.includes(operation) || (row.onlyOnTerminals && !atTerminal)) return undefined;
  return { effect: row.effect, n: amount - row.base };
}

/** False if the request's amount already rules a refusal out. */
export function mayRefuseConnection(request: AcquirerRequest): boolean {
  return amountTrigger(request)?.effect === 'ConnectionRefused';
}
