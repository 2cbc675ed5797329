import {
  CUSTOMER_ACTIONS,
  type CustomerAct,
  type CustomerAction,
  type ShownTransaction,
  type TerminalScreen,
} from './customer.types.js';
import type { Ledger, OperationRow } from '../ledger/ledger.js';
import type { SandboxDatabase } from '../ledger/sandbox.database.js';
import { isTerminalCard, storedTerminalCard, TAKEN_CARDS } from './terminal.cards.js';
import type { TerminalTransactions } from './terminal.transactions.js';
import { transactionId, type SimulatedTerminal, type Terminals, type TerminalTimes } from './terminals.js';
import type { TerminalSession, TerminalSessions } from './terminal.sessions.js';

interface CustomersParts {
  readonly database: SandboxDatabase;
  readonly ledger: Ledger;
  readonly terminals: Terminals;
  readonly visits: TerminalSessions;
  readonly times: TerminalTimes;
}

const PIN = /^\d{1,12}$/;

/** Whoever stands before a terminal in mode `Manual`: what they see, and what they do. */
export class Customers {
  constructor(
    private readonly parts: CustomersParts,
    private readonly transactions: TerminalTransactions,
  ) {}

  /**
   * Done in the ledger before it returns, whether or not anybody waits for the answer any more: an approval moves money.
   * @throws SandboxRefusal `NobodyWaits`: no transaction there waits for that; `UnknownCard`. Nothing happens then.
   */
  act(terminalId: string, act: CustomerAct): SimulatedTerminal {
    if (act.card !== undefined) storedTerminalCard(act.card);
    const refusal = this.parts.database.transaction(() => this.transactions.act(terminalId, act));
    if (refusal) throw refusal;
    return this.parts.terminals.get(terminalId);
  }

  /** What the terminal shows now, and at rest what it showed last. */
  screen(terminalId: string): TerminalScreen {
    this.settle(terminalId);
    const { ledger, visits } = this.parts;
    const visit = visits.find(terminalId);
    const own = visit && ledger.find(visit.key);
    if (visit && own?.state === 'Waiting') return waitingScreen(own, visit);
    const latest = laterOf(own, ledger.latestOn(terminalId));
    const { key, ended } = visit ?? {};
    if (key !== undefined && ended && ended.at >= (latest?.receivedAt ?? 0)) {
      return { kind: 'Ended', transactionId: transactionId(key), ...ended };
    }
    return latest ? this.after(terminalId, latest) : { kind: 'Idle' };
  }

  /** What ran out of time, or whose chip has been read, shows as it is now. */
  private settle(terminalId: string): void {
    const { database, ledger, visits } = this.parts;
    const visit = visits.find(terminalId);
    const row = visit && ledger.find(visit.key);
    if (row?.state === 'Waiting' && this.transactions.isDue(row)) {
      database.transaction(() => this.transactions.pendingOn(terminalId));
    }
  }

  /** Of a transaction that the customer has no more to do with. */
  private after(terminalId: string, row: OperationRow): TerminalScreen {
    const { terminals, times } = this.parts;
    const shown = shownTransaction(row);
    if (!shown) return { kind: 'Idle' };
    const at = row.receivedAt;
    if (row.state === 'Annulled') return { ...shown, kind: 'Ended', at, takenBack: true };
    if (row.state === 'Done' && row.answer && !row.silent) {
      return { ...shown, kind: 'Ended', at, answer: row.answer };
    }
    const { busyKey, busyUntil } = terminals.state(terminalId);
    const listens = busyKey === row.key && busyUntil > times.realNow();
    return listens ? { ...shown, kind: 'Processing' } : { ...shown, kind: 'Ended', at: busyUntil };
  }
}

/** What of an act `Customers.act` would refuse by itself, all of it, and what it takes instead. Follows from the tables alone. */
export function invalidActFields({ action, card, pin }: CustomerAct): readonly {
  readonly field: 'action' | 'card' | 'pin';
  readonly allowed: string;
}[] {
  const cancels = action === 'Cancel';
  const cardFits = card === undefined || (!cancels && isTerminalCard(card));
  const pinFits = pin === undefined ? action !== 'Pin' : !cancels && PIN.test(pin);
  return [
    ...(isAction(action)
      ? []
      : [{ field: 'action', allowed: `one of ${CUSTOMER_ACTIONS.join(', ')}` } as const]),
    ...(cardFits ? [] : [{ field: 'card', allowed: cancels ? 'none with Cancel' : TAKEN_CARDS } as const]),
    ...(pinFits ? [] : [{ field: 'pin', allowed: cancels ? 'none with Cancel' : '1 to 12 digits' } as const]),
  ];
}

function waitingScreen(row: OperationRow, { step, until }: TerminalSession): TerminalScreen {
  const shown = shownTransaction(row);
  if (!shown) return { kind: 'Idle' };
  switch (step) {
    case 'Card':
    case 'Pin':
      return { ...shown, kind: step === 'Card' ? 'AwaitsCard' : 'AwaitsPin', endsAt: until };
    case 'Chip':
    case 'Over':
    case 'Ended':
      return { ...shown, kind: 'Processing' };
  }
}

function shownTransaction({ key, request }: OperationRow): ShownTransaction | undefined {
  if (!request || 'originalKey' in request) return undefined;
  const { operation, amount, currency } = request;
  return { transactionId: transactionId(key), operation, amount, currency };
}

function laterOf(one: OperationRow | undefined, other: OperationRow | undefined): OperationRow | undefined {
  if (!one || !other) return one ?? other;
  return other.receivedAt > one.receivedAt ? other : one;
}

function isAction(action: string): action is CustomerAction {
  return (CUSTOMER_ACTIONS as readonly string[]).includes(action);
}
