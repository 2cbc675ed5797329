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
  readonly sessions: TerminalSessions;
  readonly times: TerminalTimes;
}

const PIN = /^\d{1,12}$/;

/** The customer at a terminal in mode `Manual`: the screen and the actions. */
export class Customers {
  constructor(
    private readonly parts: CustomersParts,
    private readonly transactions: TerminalTransactions,
  ) {}

  /**
   * The action is in the ledger when this returns, even if the sender of the transaction has gone away.
   * @throws TerminalControlError `NobodyWaits`: no transaction there waits for this action; `UnknownCard`
   */
  act(terminalId: string, act: CustomerAct): SimulatedTerminal {
    if (act.card !== undefined) storedTerminalCard(act.card);
    const refusal = this.parts.database.transaction(() => this.transactions.act(terminalId, act));
    if (refusal) throw refusal;
    return this.parts.terminals.get(terminalId);
  }

  /** The terminal's screen now. Without a transaction: the end of the last one. */
  screen(terminalId: string): TerminalScreen {
    this.settle(terminalId);
    const { ledger, sessions } = this.parts;
    const session = sessions.find(terminalId);
    const row = session && ledger.find(session.key);
    if (session && row?.state === 'Waiting') return waitingScreen(row, session);
    const latest = laterOf(row, ledger.latestOn(terminalId));
    const { key, ended } = session ?? {};
    if (key !== undefined && ended && ended.at >= (latest?.receivedAt ?? 0)) {
      return { kind: 'Ended', transactionId: transactionId(key), ...ended };
    }
    return latest ? this.screenAfter(terminalId, latest) : { kind: 'Idle' };
  }

  /** Applies the changes that are due on the terminal. */
  private settle(terminalId: string): void {
    const { database, ledger, sessions } = this.parts;
    const session = sessions.find(terminalId);
    const row = session && ledger.find(session.key);
    if (row?.state === 'Waiting' && this.transactions.isDue(row)) {
      database.transaction(() => this.transactions.pendingOn(terminalId));
    }
  }

  /** The screen of a transaction that does not wait for its customer. */
  private screenAfter(terminalId: string, row: OperationRow): TerminalScreen {
    const { terminals, times } = this.parts;
    const shown = shownTransaction(row);
    if (!shown) return { kind: 'Idle' };
    const at = row.receivedAt;
    if (row.state === 'Annulled') return { ...shown, kind: 'Ended', at, takenBack: true };
    if (row.state === 'Done' && row.answer && !row.silent) {
      return { ...shown, kind: 'Ended', at, answer: row.answer };
    }
    const { busyKey, busyUntil } = terminals.state(terminalId);
    const isBusy = busyKey === row.key && busyUntil > times.realNow();
    return isBusy ? { ...shown, kind: 'Processing' } : { ...shown, kind: 'Ended', at: busyUntil };
  }
}

/** The fields that `Customers.act` refuses for any terminal, with their allowed values. */
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

function laterOf(
  first: OperationRow | undefined,
  second: OperationRow | undefined,
): OperationRow | undefined {
  if (!first || !second) return first ?? second;
  return second.receivedAt > first.receivedAt ? second : first;
}

function isAction(action: string): action is CustomerAction {
  return (CUSTOMER_ACTIONS as readonly string[]).includes(action);
}
