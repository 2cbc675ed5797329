import type { EntryMode } from '@tillstream/domain';
import type { CardRequest, Reaction } from '../acquirer/acquirer.types.js';
import { amountTrigger } from '../acquirer/amounts.table.js';
import { DEFAULT_TERMINAL_CARD, type SandboxCard } from '../acquirer/cards.table.js';
import { HOST_CODE } from '../acquirer/host-codes.table.js';
import { hostResponse } from '../acquirer/host-response.js';
import { applyPin, decideCardRequest } from '../acquirer/host.decision.js';
import type { DecidedRequest, SendKind } from '../acquirer/request.execution.js';
import { NO_EFFECTS, type OperationRow } from '../ledger/ledger.js';
import { TerminalControlError } from '../sandbox.errors.js';
import type { SandboxParts } from '../sandbox.parts.js';
import type { CustomerAct } from './customers.js';
import { asksForPin, terminalCardName, storedTerminalCard, terminalCard } from './terminal.cards.js';
import { isSessionOpen, type TerminalSession } from './terminal.sessions.js';
import { terminalEnd } from './terminals.js';

type TerminalRequest = CardRequest & { readonly terminalId: string };

interface WaitingTransaction {
  readonly row: OperationRow;
  readonly session: TerminalSession;
}

const ENTRY_MODES: Readonly<Record<'Tap' | 'Insert' | 'Swipe', EntryMode>> = {
  Tap: 'Contactless',
  Insert: 'Chip',
  Swipe: 'Swipe',
};

/** From the arrival of the request on. The caller's deadline is not much longer. */
export const CUSTOMER_TIMEOUT_MS = 120_000;
/** The time for reading a chip without a PIN. A PIN that is typed in this time is accepted. */
export const CHIP_READ_MS = 1_500;

/**
 * Transactions at a terminal until the card is presented. All state is in the file, and there are no timers: the next call
 * of any process applies the changes that are due. Every call must be inside a transaction of the ledger.
 */
export class TerminalTransactions {
  /** @param toHost executes a terminal's request at its host */
  constructor(
    private readonly parts: SandboxParts,
    private readonly toHost: (decided: DecidedRequest) => Reaction,
  ) {}

  /** Starts a key that has not executed yet. */
  start(request: TerminalRequest, send: SendKind): Reaction {
    const { terminals, ledger, sessions, times } = this.parts;
    const { terminalId, key, operation, amount, currency } = request;
    const now = times.realNow();
    const terminal = terminals.state(terminalId);
    const end = terminalEnd(terminal, key, now, this.pendingOn(terminalId)?.row.key);
    if (end) return { kind: 'TerminalEnded', ...end };
    const trigger = amountTrigger(request, true);
    if (trigger?.effect === 'TerminalEnds') {
      const resultCode = trigger.n;
      const ended = { operation, amount, currency, resultCode, at: now };
      sessions.put({ terminalId, key, step: 'Ended', until: times.serviceNow(), ended });
      return { kind: 'TerminalEnded', resultCode, afterMs: 0 };
    }
    if (terminal.mode !== 'Manual') {
      const reaction = this.sendToHost({ request, send, card: terminal.card });
      return terminal.mode === 'LostLink' ? { kind: 'LinkLost' } : reaction;
    }
    // The connection is refused before the customer sees the transaction.
    if (trigger?.effect === 'ConnectionRefused') return { kind: 'ConnectionRefused' };
    ledger.put({ key, state: 'Waiting', request, root: key, ...NO_EFFECTS, receivedAt: now });
    sessions.put({ terminalId, key, step: 'Card', until: times.serviceNow() + CUSTOMER_TIMEOUT_MS });
    return { kind: 'AwaitsCustomer' };
  }

  /** Applies the changes that are due, and returns the transaction that still waits on the terminal. */
  pendingOn(terminalId: string): WaitingTransaction | undefined {
    const session = this.parts.sessions.find(terminalId);
    if (!session || !isSessionOpen(session)) return undefined;
    const row = this.parts.ledger.find(session.key);
    if (row?.state !== 'Waiting') return undefined;
    return this.settle(row).state === 'Waiting' ? { row, session } : undefined;
  }

  /** Applies the changes that are due to a waiting key: the time limit has passed, or the chip has been read. */
  settle(row: OperationRow): OperationRow {
    const { ledger, sessions } = this.parts;
    const request = waitingRequest(row);
    const session = sessions.find(request.terminalId);
    if (session?.key !== row.key)
      throw new Error(`sandbox ledger: ${row.key} waits, and not at its terminal`);
    // A chip that was read before the time limit counts, even if this call comes after it.
    if (this.isChipRead(session)) this.sendPresented(request, session);
    else if (this.isOutOfTime(session)) return this.end(row, 'TookTooLong');
    else return row;
    return ledger.find(row.key) ?? row;
  }

  /** Whether `settle` would change a waiting key. */
  isDue(row: OperationRow): boolean {
    const session = this.parts.sessions.find(waitingRequest(row).terminalId);
    return !session || this.isChipRead(session) || this.isOutOfTime(session);
  }

  /** @returns the refusal if no transaction waits for this action; the caller has checked the card */
  act(terminalId: string, act: CustomerAct): TerminalControlError | undefined {
    const { action, pin } = act;
    const waiting = this.pendingOn(terminalId);
    if (!waiting) return noCustomerExpected('no transaction on this terminal waits for its customer');
    const { row, session } = waiting;
    switch (action) {
      case 'Cancel':
        this.end(row, 'CustomerCancelled');
        return undefined;
      case 'Tap':
      case 'Insert':
      case 'Swipe':
        return this.presentCard(waiting, act, ENTRY_MODES[action]);
      case 'Pin':
        if (session.step === 'Card') return this.presentCard(waiting, act, 'Chip');
        this.sendPresented(waitingRequest(row), session, pin);
        return undefined;
      default:
        throw new Error(`sandbox terminal: no customer can ${action}`);
    }
  }

  /** The terminal or its customer ends a waiting transaction. */
  end(row: OperationRow, outcome: 'CustomerCancelled' | 'TookTooLong'): OperationRow {
    const { ledger, sessions, times } = this.parts;
    const request = waitingRequest(row);
    const answer = { ...hostResponse(row.key, request, { hostCode: HOST_CODE[outcome] }), outcome };
    const ended: OperationRow = { ...row, state: 'Done', answer, receivedAt: times.realNow() };
    ledger.put(ended);
    sessions.finish(request.terminalId, row.key);
    return ended;
  }

  private isChipRead({ step, chipReadAt = 0 }: TerminalSession): boolean {
    return step === 'Chip' && chipReadAt <= this.parts.times.realNow();
  }

  private isOutOfTime({ until }: TerminalSession): boolean {
    return until <= this.parts.times.serviceNow();
  }

  private presentCard(
    { row, session }: WaitingTransaction,
    { card: givenCard, pin }: CustomerAct,
    entryMode: EntryMode,
  ): TerminalControlError | undefined {
    const { terminals, sessions, times } = this.parts;
    if (session.step !== 'Card') {
      return noCustomerExpected('this terminal has a card already, and waits for Pin or Cancel');
    }
    const number = givenCard ?? terminals.get(session.terminalId).card ?? DEFAULT_TERMINAL_CARD;
    const request = waitingRequest(row);
    const presented: TerminalSession = { ...session, card: storedTerminalCard(number), entryMode };
    const card = terminalCard(number);
    const decision = decideCardRequest(request, card, times.serviceNow);
    // A card that the terminal may not take needs no PIN.
    const readsChip =
      entryMode === 'Chip' && pin === undefined && decision.hostCode !== HOST_CODE.NotPermitted;
    if (!readsChip) this.sendPresented(request, presented, pin);
    else if (asksForPin(card)) sessions.put({ ...presented, step: 'Pin' });
    else sessions.put({ ...presented, step: 'Chip', chipReadAt: times.realNow() + CHIP_READ_MS });
    return undefined;
  }

  private sendPresented(request: TerminalRequest, session: TerminalSession, pin?: string): void {
    const { terminals, sessions } = this.parts;
    const { terminalId, card: stored, entryMode } = session;
    const card =
      stored === undefined ? terminals.state(terminalId).card : terminalCard(terminalCardName(stored));
    sessions.put({ ...session, step: 'Over' });
    this.sendToHost({ request, send: 'FirstSend', card, entryMode }, pin);
  }

  /** The terminal is busy until its host responds, or until the processor deadline. */
  private sendToHost(
    presented: Omit<DecidedRequest, 'decision'> & { request: TerminalRequest; card: SandboxCard },
    pin?: string,
  ): Reaction {
    const { terminals, times } = this.parts;
    const { request, card } = presented;
    const decision = decideCardRequest(request, card, times.serviceNow);
    const reaction = this.toHost({ ...presented, decision: applyPin(decision, pin) });
    if (reaction.kind === 'Silent') {
      const { processorDeadlineMs } = times;
      const busyForMs = Math.min(reaction.answersAfterMs ?? processorDeadlineMs, processorDeadlineMs);
      terminals.occupy(request.terminalId, request.key, times.realNow() + busyForMs);
    }
    return reaction;
  }
}

function noCustomerExpected(message: string): TerminalControlError {
  return new TerminalControlError('NobodyWaits', message);
}

function waitingRequest({ key, request }: OperationRow): TerminalRequest {
  if (request?.terminalId === undefined) throw new Error(`sandbox ledger: ${key} waits at no terminal`);
  return { ...request, key, terminalId: request.terminalId };
}
