import type { EntryMode } from '@tillstream/domain';
import type { CardRequest, Reaction } from '../acquirer/acquirer.types.js';
import { amountTrigger } from '../acquirer/amounts.table.js';
import { DEFAULT_TERMINAL_CARD, type SandboxCard } from '../acquirer/cards.table.js';
import { ENTRY_MODES, type CustomerAct } from './customer.types.js';
import { terminalEndResponse } from '../acquirer/host-response.js';
import { HOST_CODE } from '../acquirer/host-codes.table.js';
import type { Ledger, OperationRow } from '../ledger/ledger.js';
import { TerminalControlError } from '../sandbox.errors.js';
import { asksForPin, terminalCardName, storedTerminalCard, terminalCard } from './terminal.cards.js';
import { terminalEnd, type Terminals, type TerminalTimes } from './terminals.js';
import { decideCardRequest, applyPin, type HostDecision } from '../acquirer/host.decision.js';
import { isSessionOpen, type TerminalSession, type TerminalSessions } from './terminal.sessions.js';

export type TerminalRequest = CardRequest & { readonly terminalId: string };
/** How it is presented; left out: the terminal takes it as it likes. */
export interface PresentedCard {
  readonly card: SandboxCard;
  readonly entryMode?: EntryMode | undefined;
}
/** Executes what a terminal sends to its host. */
export type SendToHost = (
  request: TerminalRequest,
  verdict: HostDecision,
  presented: PresentedCard,
) => Reaction;

export interface TerminalParts {
  readonly ledger: Ledger;
  readonly terminals: Terminals;
  readonly sessions: TerminalSessions;
  readonly times: TerminalTimes & { readonly processorDeadlineMs: number };
}

/** From its arrival on, whatever the customer did meanwhile: the caller's deadline is not much longer. */
export const CUSTOMER_TIMEOUT_MS = 120_000;
/** A chip that needs no PIN is read for so long; one that is typed meanwhile counts. */
export const CHIP_READ_MS = 1_500;

/**
 * How a transaction at a terminal comes to a card. Nothing of it lives in memory, no timer either: what was due has
 * happened for whoever looks next, in whichever process. Every call belongs inside a transaction of the ledger. */
export class TerminalTransactions {
  constructor(
    private readonly parts: TerminalParts,
    private readonly toHost: SendToHost,
  ) {}

  /** A key that has not executed yet comes to its terminal. `toHost`: of this very send. */
  start(request: TerminalRequest, toHost: SendToHost): Reaction {
    const { terminals, ledger, sessions, times } = this.parts;
    const { terminalId, key, operation, amount, currency } = request;
    const now = times.realNow();
    const terminal = terminals.state(terminalId);
    const end = terminalEnd(terminal, key, now, this.pendingOn(terminalId)?.row.key);
    if (end) return { kind: 'TerminalEnded', ...end };
    const trigger = amountTrigger(operation, amount, true);
    if (trigger?.effect === 'TerminalEnds') {
      const resultCode = trigger.n;
      const ended = { operation, amount, currency, resultCode, at: now };
      sessions.put({ terminalId, key, step: 'Ended', until: times.serviceNow(), ended });
      return { kind: 'TerminalEnded', resultCode, afterMs: 0 };
    }
    if (terminal.mode !== 'Manual') {
      const reaction = this.present(request, { card: terminal.card }, undefined, toHost);
      return terminal.mode === 'LostLink' ? { kind: 'LinkLost' } : reaction;
    }
    // Before anything is sent means before the customer sees it.
    if (trigger?.effect === 'ConnectionRefused') return { kind: 'ConnectionRefused' };
    const nothing = { silent: false, failingInquiries: 0, batchClosed: false };
    ledger.put({ key, state: 'Waiting', request, root: key, ...nothing, receivedAt: now });
    sessions.put({ terminalId, key, step: 'Card', until: times.serviceNow() + CUSTOMER_TIMEOUT_MS });
    return { kind: 'AwaitsCustomer' };
  }

  /** The key that is on the terminal without an answer, once everything that was due has happened. */
  pendingOn(terminalId: string): { readonly row: OperationRow; readonly visit: TerminalSession } | undefined {
    const visit = this.parts.sessions.find(terminalId);
    if (!visit || !isSessionOpen(visit)) return undefined;
    const row = this.parts.ledger.find(visit.key);
    if (row?.state !== 'Waiting') return undefined;
    return this.settle(row).state === 'Waiting' ? { row, visit } : undefined;
  }

  /** A key that waits, after what was due: it may have run out of time, or its chip has been read. */
  settle(row: OperationRow): OperationRow {
    const { ledger, sessions } = this.parts;
    const request = waitingRequest(row);
    const visit = sessions.find(request.terminalId);
    if (visit?.key !== row.key) throw new Error(`sandbox ledger: ${row.key} waits, and not at its terminal`);
    // What was read before the time was over counts, whenever somebody looks.
    if (this.isChipRead(visit)) this.sendPresented(request, visit, undefined);
    else if (this.isOutOfTime(visit)) return this.end(row, 'TookTooLong');
    else return row;
    return ledger.find(row.key) ?? row;
  }

  /** Whether `settle` would change a key that waits. */
  isDue(row: OperationRow): boolean {
    const visit = this.parts.sessions.find(waitingRequest(row).terminalId);
    return !visit || this.isChipRead(visit) || this.isOutOfTime(visit);
  }

  /** Refused where nobody waits for that: nothing happens then. Its card, where there is one, is one that terminals take. */
  act(terminalId: string, { action, card, pin }: CustomerAct): TerminalControlError | undefined {
    const waiting = this.pendingOn(terminalId);
    if (!waiting) return noCustomerExpected('no transaction on this terminal waits for its customer');
    const { row, visit } = waiting;
    switch (action) {
      case 'Cancel':
        this.end(row, 'CustomerCancelled');
        return undefined;
      case 'Tap':
      case 'Insert':
      case 'Swipe':
        return this.bring(row, visit, card, ENTRY_MODES[action], pin);
      case 'Pin':
        if (visit.step === 'Card') return this.bring(row, visit, card, 'Chip', pin);
        this.sendPresented(waitingRequest(row), visit, pin);
        return undefined;
      default:
        throw new Error(`sandbox terminal: no customer can ${action}`);
    }
  }

  /** The terminal, or whoever stands before it, ends what waits. */
  end(row: OperationRow, outcome: 'CustomerCancelled' | 'TookTooLong'): OperationRow {
    const { ledger, sessions, times } = this.parts;
    const { terminalId } = waitingRequest(row);
    const answer = terminalEndResponse(row.key, terminalId, outcome);
    const ended: OperationRow = { ...row, state: 'Done', answer, receivedAt: times.realNow() };
    ledger.put(ended);
    sessions.finish(terminalId, row.key);
    return ended;
  }

  private isChipRead({ step, chipReadAt = 0 }: TerminalSession): boolean {
    return step === 'Chip' && chipReadAt <= this.parts.times.realNow();
  }

  private isOutOfTime({ until }: TerminalSession): boolean {
    return until <= this.parts.times.serviceNow();
  }

  private bring(
    row: OperationRow,
    visit: TerminalSession,
    given: string | undefined,
    entryMode: EntryMode,
    pin: string | undefined,
  ): TerminalControlError | undefined {
    const { terminals, sessions, times } = this.parts;
    if (visit.step !== 'Card') {
      return noCustomerExpected('this terminal has a card already, and waits for Pin or Cancel');
    }
    const number = given ?? terminals.get(visit.terminalId).card ?? DEFAULT_TERMINAL_CARD;
    const request = waitingRequest(row);
    const presented: TerminalSession = { ...visit, card: storedTerminalCard(number), entryMode };
    const card = terminalCard(number);
    const verdict = decideCardRequest(request, card, () => times.serviceNow());
    // A card that the terminal may not take needs no PIN, and its account is never asked.
    const reads = entryMode === 'Chip' && pin === undefined && verdict.hostCode !== HOST_CODE.NotPermitted;
    if (!reads) this.sendPresented(request, presented, pin);
    else if (asksForPin(card)) sessions.put({ ...presented, step: 'Pin' });
    else sessions.put({ ...presented, step: 'Chip', chipReadAt: times.realNow() + CHIP_READ_MS });
    return undefined;
  }

  private sendPresented(request: TerminalRequest, visit: TerminalSession, pin: string | undefined): void {
    const { terminals, sessions } = this.parts;
    const card = visit.card === undefined ? terminals.state(visit.terminalId).card : cardOf(visit.card);
    sessions.put({ ...visit, step: 'Over' });
    this.present(request, { card, entryMode: visit.entryMode }, pin, this.toHost);
  }

  /** A terminal is busy until its host answers, or it has waited long enough. */
  private present(
    request: TerminalRequest,
    presented: PresentedCard,
    pin: string | undefined,
    toHost: SendToHost,
  ): Reaction {
    const { terminals, times } = this.parts;
    const verdict = decideCardRequest(request, presented.card, () => times.serviceNow());
    const reaction = toHost(request, applyPin(verdict, pin), presented);
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

function cardOf(stored: string): SandboxCard {
  return terminalCard(terminalCardName(stored));
}

function waitingRequest({ key, request }: OperationRow): TerminalRequest {
  if (!request || 'originalKey' in request || request.terminalId === undefined) {
    throw new Error(`sandbox ledger: ${key} waits at no terminal`);
  }
  return { ...request, key, terminalId: request.terminalId };
}
