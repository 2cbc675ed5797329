import type { EntryMode } from '@tillstream/domain';
import type { CardRequest, Reaction } from './acquirer.vocabulary.js';
import { amountTrigger } from './amounts.table.js';
import { DEFAULT_TERMINAL_CARD, type SandboxCard } from './cards.table.js';
import { ENTRY_MODES, type CustomerAct } from './customer.vocabulary.js';
import { unaskedAnswer } from './host-answer.js';
import { HOST_CODE } from './host-codes.table.js';
import type { Ledger, OperationRow } from './ledger.js';
import { SandboxRefusal } from './sandbox.errors.js';
import { asksForPin, givenTerminalCard, storedTerminalCard, terminalCard } from './terminal.cards.js';
import { terminalEnd, type Terminals, type TerminalTimes } from './terminals.js';
import { cardVerdict, verdictByPin, type Verdict } from './verdict.js';
import { isOpen, type Visit, type Visits } from './visits.js';

export type TerminalRequest = CardRequest & { readonly terminalId: string };
/** How it is presented; left out: the terminal takes it as it likes. */
export interface PresentedCard {
  readonly card: SandboxCard;
  readonly entryMode?: EntryMode | undefined;
}
/** Executes what a terminal sends to its host. */
export type ToHost = (request: TerminalRequest, verdict: Verdict, presented: PresentedCard) => Reaction;

export interface TerminalParts {
  readonly ledger: Ledger;
  readonly terminals: Terminals;
  readonly visits: Visits;
  readonly times: TerminalTimes & { readonly processorDeadlineMs: number };
}

/** From its arrival on, whatever the customer did meanwhile: the caller's deadline is not much longer. */
export const CUSTOMER_WITHIN_MS = 120_000;
/** A chip that needs no PIN is read for so long; one that is typed meanwhile counts. */
export const CHIP_READ_MS = 1_500;

/**
 * How a transaction at a terminal comes to a card. Nothing of it lives in memory, no timer either: what was due has
 * happened for whoever looks next, in whichever process. Every call belongs inside a transaction of the ledger. */
export class TerminalTransactions {
  constructor(
    private readonly parts: TerminalParts,
    private readonly toHost: ToHost,
  ) {}

  /** A key that has not executed yet comes to its terminal. `toHost`: of this very send. */
  arrive(request: TerminalRequest, toHost: ToHost): Reaction {
    const { terminals, ledger, visits, times } = this.parts;
    const { terminalId, key, operation, amount, currency } = request;
    const now = times.realNow();
    const terminal = terminals.state(terminalId);
    const end = terminalEnd(terminal, key, now, this.waitingOn(terminalId)?.row.key);
    if (end) return { kind: 'TerminalEnded', ...end };
    const trigger = amountTrigger(operation, amount, true);
    if (trigger?.effect === 'TerminalEnds') {
      const resultCode = trigger.n;
      const ended = { operation, amount, currency, resultCode, at: now };
      visits.put({ terminalId, key, step: 'Ended', until: times.serviceNow(), ended });
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
    visits.put({ terminalId, key, step: 'Card', until: times.serviceNow() + CUSTOMER_WITHIN_MS });
    return { kind: 'AwaitsCustomer' };
  }

  /** The key that is on the terminal without an answer, once everything that was due has happened. */
  waitingOn(terminalId: string): { readonly row: OperationRow; readonly visit: Visit } | undefined {
    const visit = this.parts.visits.find(terminalId);
    if (!visit || !isOpen(visit)) return undefined;
    const row = this.parts.ledger.find(visit.key);
    if (row?.state !== 'Waiting') return undefined;
    return this.settled(row).state === 'Waiting' ? { row, visit } : undefined;
  }

  /** A key that waits, after what was due: it may have run out of time, or its chip has been read. */
  settled(row: OperationRow): OperationRow {
    const { ledger, visits } = this.parts;
    const request = waitingRequest(row);
    const visit = visits.find(request.terminalId);
    if (visit?.key !== row.key) throw new Error(`sandbox ledger: ${row.key} waits, and not at its terminal`);
    // What was read before the time was over counts, whenever somebody looks.
    if (this.isChipRead(visit)) this.sendPresented(request, visit, undefined);
    else if (this.isOutOfTime(visit)) return this.end(row, 'TookTooLong');
    else return row;
    return ledger.find(row.key) ?? row;
  }

  /** Whether `settled` would change a key that waits. */
  isDue(row: OperationRow): boolean {
    const visit = this.parts.visits.find(waitingRequest(row).terminalId);
    return !visit || this.isChipRead(visit) || this.isOutOfTime(visit);
  }

  /** Refused where nobody waits for that: nothing happens then. Its card, where there is one, is one that terminals take. */
  act(terminalId: string, { action, card, pin }: CustomerAct): SandboxRefusal | undefined {
    const waiting = this.waitingOn(terminalId);
    if (!waiting) return nobodyWaits('no transaction on this terminal waits for its customer');
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
    const { ledger, visits, times } = this.parts;
    const { terminalId } = waitingRequest(row);
    const answer = unaskedAnswer(row.key, terminalId, outcome);
    const ended: OperationRow = { ...row, state: 'Done', answer, receivedAt: times.realNow() };
    ledger.put(ended);
    visits.over(terminalId, row.key);
    return ended;
  }

  private isChipRead({ step, chipReadAt = 0 }: Visit): boolean {
    return step === 'Chip' && chipReadAt <= this.parts.times.realNow();
  }

  private isOutOfTime({ until }: Visit): boolean {
    return until <= this.parts.times.serviceNow();
  }

  private bring(
    row: OperationRow,
    visit: Visit,
    given: string | undefined,
    entryMode: EntryMode,
    pin: string | undefined,
  ): SandboxRefusal | undefined {
    const { terminals, visits, times } = this.parts;
    if (visit.step !== 'Card') {
      return nobodyWaits('this terminal has a card already, and waits for Pin or Cancel');
    }
    const number = given ?? terminals.get(visit.terminalId).card ?? DEFAULT_TERMINAL_CARD;
    const request = waitingRequest(row);
    const presented: Visit = { ...visit, card: storedTerminalCard(number), entryMode };
    const card = terminalCard(number);
    const verdict = cardVerdict(request, card, () => times.serviceNow());
    // A card that the terminal may not take needs no PIN, and its account is never asked.
    const reads = entryMode === 'Chip' && pin === undefined && verdict.hostCode !== HOST_CODE.NotPermitted;
    if (!reads) this.sendPresented(request, presented, pin);
    else if (asksForPin(card)) visits.put({ ...presented, step: 'Pin' });
    else visits.put({ ...presented, step: 'Chip', chipReadAt: times.realNow() + CHIP_READ_MS });
    return undefined;
  }

  private sendPresented(request: TerminalRequest, visit: Visit, pin: string | undefined): void {
    const { terminals, visits } = this.parts;
    const card = visit.card === undefined ? terminals.state(visit.terminalId).card : cardOf(visit.card);
    visits.put({ ...visit, step: 'Over' });
    this.present(request, { card, entryMode: visit.entryMode }, pin, this.toHost);
  }

  /** A terminal is busy until its host answers, or it has waited long enough. */
  private present(
    request: TerminalRequest,
    presented: PresentedCard,
    pin: string | undefined,
    toHost: ToHost,
  ): Reaction {
    const { terminals, times } = this.parts;
    const verdict = cardVerdict(request, presented.card, () => times.serviceNow());
    const reaction = toHost(request, verdictByPin(verdict, pin), presented);
    if (reaction.kind === 'Silent') {
      const { processorDeadlineMs } = times;
      const busyForMs = Math.min(reaction.answersAfterMs ?? processorDeadlineMs, processorDeadlineMs);
      terminals.occupy(request.terminalId, request.key, times.realNow() + busyForMs);
    }
    return reaction;
  }
}

function nobodyWaits(message: string): SandboxRefusal {
  return new SandboxRefusal('NobodyWaits', message);
}

function cardOf(stored: string): SandboxCard {
  return terminalCard(givenTerminalCard(stored));
}

function waitingRequest({ key, request }: OperationRow): TerminalRequest {
  if (!request || 'originalKey' in request || request.terminalId === undefined) {
    throw new Error(`sandbox ledger: ${key} waits at no terminal`);
  }
  return { ...request, key, terminalId: request.terminalId };
}
