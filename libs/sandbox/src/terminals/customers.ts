import type { ResultCode } from '@tillstream/domain';
import type { CardRequest, HostResponse } from '../acquirer/acquirer.types.js';
import type { OperationRow } from '../ledger/ledger.js';
import type { SandboxParts } from '../sandbox.parts.js';
import { isTerminalCard, storedTerminalCard, TAKEN_CARDS } from './terminal.cards.js';
import type { TerminalTransactions } from './terminal.transactions.js';
import { transactionId, type SimulatedTerminal } from './terminals.js';
import type { TerminalSession } from './terminal.sessions.js';

/**
 * An action of a customer at a terminal. `Tap`, `Insert` and `Swipe` present `card`, by default the terminal's card, and type
 * `pin` if there is one. `Pin` without a presented card inserts one first.
 */
export interface CustomerAct {
  readonly action: string;
  /** The number of a card that terminals take, or a name. */
  readonly card?: string | undefined;
  readonly pin?: string | undefined;
}

type ShownTransaction = Pick<CardRequest, 'operation' | 'amount' | 'currency'> & {
  readonly transactionId: string;
};

export type TerminalScreen =
  | { readonly kind: 'Idle' }
  /** `endsAt`: the customer's time limit, by the service's clock, ms. */
  | (ShownTransaction & { readonly kind: 'AwaitsCard' | 'AwaitsPin'; readonly endsAt: number })
  | (ShownTransaction & { readonly kind: 'Processing' })
  /** `at`: real time, ms. Without `answer` and `resultCode` the host did not answer, or the transaction was annulled. */
  | (ShownTransaction & {
      readonly kind: 'Ended';
      readonly at: number;
      readonly answer?: HostResponse;
      readonly resultCode?: ResultCode;
      readonly takenBack?: true;
    });

const ACTIONS = ['Tap', 'Insert', 'Swipe', 'Pin', 'Cancel'];
const PIN = /^\d{1,12}$/;

/** The customer at a terminal in mode `Manual`: the screen and the actions. */
export class Customers {
  constructor(
    private readonly parts: SandboxParts,
    private readonly transactions: TerminalTransactions,
  ) {}

  /**
   * The action is in the ledger when this returns, even if the sender of the transaction has gone away.
   * @throws TerminalControlError `NobodyWaits`: no transaction there waits for this action; `UnknownCard`
   */
  act(terminalId: string, act: CustomerAct): SimulatedTerminal {
    if (act.card !== undefined) storedTerminalCard(act.card);
    const { database, terminals } = this.parts;
    const refusal = database.transaction(() => this.transactions.act(terminalId, act));
    if (refusal) throw refusal;
    return terminals.get(terminalId);
  }

  /** The terminal's screen now. Without a transaction: the end of the last one. */
  screen(terminalId: string): TerminalScreen {
    const { session, row } = this.settledSession(terminalId);
    if (session && row?.state === 'Waiting') return waitingScreen(row, session);
    const other = this.parts.ledger.latestOn(terminalId);
    const latest = row && row.receivedAt >= (other?.receivedAt ?? 0) ? row : other;
    if (session?.ended && session.ended.at >= (latest?.receivedAt ?? 0)) {
      return { kind: 'Ended', transactionId: transactionId(session.key), ...session.ended };
    }
    return latest ? this.screenAfter(terminalId, latest) : { kind: 'Idle' };
  }

  /** The terminal's last session and its operation, after the changes that are due. */
  private settledSession(terminalId: string) {
    const { database, ledger, sessions } = this.parts;
    const read = () => {
      const session = sessions.find(terminalId);
      return { session, row: session && ledger.find(session.key) };
    };
    const { row } = read();
    if (row?.state === 'Waiting' && this.transactions.isDue(row)) {
      database.transaction(() => this.transactions.pendingOn(terminalId));
    }
    return read();
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
export function invalidActFields({ action, card, pin }: CustomerAct) {
  const cancels = action === 'Cancel';
  const none = 'none with Cancel';
  const checks = [
    { field: 'action', allowed: `one of ${ACTIONS.join(', ')}`, valid: ACTIONS.includes(action) },
    {
      field: 'card',
      allowed: cancels ? none : TAKEN_CARDS,
      valid: card === undefined || (!cancels && isTerminalCard(card)),
    },
    {
      field: 'pin',
      allowed: cancels ? none : '1 to 12 digits',
      valid: pin === undefined ? action !== 'Pin' : !cancels && PIN.test(pin),
    },
  ] as const;
  return checks.filter(({ valid }) => !valid);
}

function waitingScreen(row: OperationRow, { step, until }: TerminalSession): TerminalScreen {
  const shown = shownTransaction(row);
  if (!shown) return { kind: 'Idle' };
  if (step === 'Card') return { ...shown, kind: 'AwaitsCard', endsAt: until };
  return step === 'Pin' ? { ...shown, kind: 'AwaitsPin', endsAt: until } : { ...shown, kind: 'Processing' };
}

function shownTransaction({ key, request }: OperationRow): ShownTransaction | undefined {
  if (request?.originalKey !== undefined || !request) return undefined;
  const { operation, amount, currency } = request;
  return { transactionId: transactionId(key), operation, amount, currency };
}
