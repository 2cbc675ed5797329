import { saidError, saidTransaction, type Asked, type Heard } from './asked.js';
import type { PaymentHistory } from './histories.js';
import { verdict, type Verdict } from './races.model.js';

/** Between a decision, which stamps the event, and its commit. */
const SLACK_MS = 500;
/** A request that loses to others is decided so often. */
const DECISIONS = 4;

export interface Judged {
  /** What it came to, for counting. */
  readonly came: string;
  readonly complaint?: string;
}

/**
 * Whether an answer is one that was possible. What was stored has its place in the history and is held against what
 * came before it; a refusal has none, so it must fit some moment between its sending and its answer.
 */
export function judge(asked: Asked, heard: Heard, history: PaymentHistory): Judged {
  const said = saidTransaction(heard);
  if (said) {
    const code = said.transactionResponses[0]?.responseCode;
    const at = history.events.findIndex(({ data }) => data.operationId === said.id);
    const due = verdictAfter(asked, history, at);
    const came = code === 21 ? 'already voided' : 'begins';
    if (code !== 21 && code !== 1)
      return { came: `200/${code}`, complaint: `${said.id}: answered 200/${code}` };
    return due === came
      ? { came: code === 21 ? '200/21' : '200/1' }
      : { came: `200/${code}`, complaint: `${said.id}: answered 200/${code} where ${due} was due` };
  }
  const code = saidError(heard)?.code;
  const came = `${heard.status}/${code}`;
  if (![400, 409].includes(heard.status) || (heard.status === 409) !== (code === 3401))
    return { came, complaint: `${asked.key}: answered ${came}: ${heard.text}` };
  const possible = possibleBetween(asked, heard, history);
  if (possible.has(code as Verdict) || (code === 3401 && wasContended(heard, history))) return { came };
  return {
    came,
    complaint: `${asked.kind} of ${asked.body.amount ?? 'all'} on ${asked.body.originalTransactionId}: answered ${came}, possible were ${[...possible].join(', ')}`,
  };
}

function verdictAfter({ kind, body }: Asked, { events }: PaymentHistory, count: number): Verdict {
  if (kind !== 'Capture' && kind !== 'Refund' && kind !== 'Void') throw new Error('only follow-ups race');
  return verdict(events.slice(0, count), kind, body.originalTransactionId ?? '', body.amount);
}

function possibleBetween(asked: Asked, heard: Heard, history: PaymentHistory): Set<Verdict> {
  const { first, last } = windowOf(heard, history);
  const possible = new Set<Verdict>();
  for (let count = first; count <= last; count++) possible.add(verdictAfter(asked, history, count));
  return possible;
}

/** Four others wrote meanwhile. */
function wasContended(heard: Heard, history: PaymentHistory): boolean {
  const { first, last } = windowOf(heard, history);
  return last - first >= DECISIONS;
}

/** How many events at least and at most had been written when it was decided. */
function windowOf({ sentAt, heardAt }: Heard, { times }: PaymentHistory): { first: number; last: number } {
  const first = times.findIndex((time) => time >= sentAt - SLACK_MS);
  const last = times.findLastIndex((time) => time <= heardAt) + 1;
  return { first: first < 0 ? times.length : first, last };
}
