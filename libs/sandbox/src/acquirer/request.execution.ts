import type { EntryMode } from '@tillstream/domain';
import type { AcquirerRequest, FollowUpRequest, HostResponse, Reaction } from './acquirer.types.js';
import { amountTrigger, type AmountTrigger } from './amounts.table.js';
import { cardByNumber, type SandboxCard } from './cards.table.js';
import { hostResponse } from './host-response.js';
import { HOST_CODE } from './host-codes.table.js';
import {
  belongsToAccount,
  type Ledger,
  type MovementKind,
  type OperationRow,
  type StoredRequest,
} from '../ledger/ledger.js';
import { TerminalTransactions, type TerminalParts } from '../terminals/terminal.transactions.js';
import { toStoredCard, storedResponse } from './stored-response.js';
import { decideCardRequest, decideFollowUp, applyAmount, type HostDecision } from './host.decision.js';

const SLOW_MS = 5_000;
const FAILING_INQUIRIES = 3;

export interface ExecutionTimes {
  readonly processorDeadlineMs: number;
  /** After the deadline. */
  readonly lateExecutionDelayMs: number;
  /** The machine's clock: for due times, and for how long a terminal is busy. */
  realNow(): number;
  /** The service's clock: cards expire by it. */
  serviceNow(): number;
}

/** `SentAgain`: an earlier send of the key was lost. */
export type SendKind = 'FirstSend' | 'SentAgain';

/** The earlier operation or the card of a request. */
interface RequestSubject {
  readonly original?: OperationRow | undefined;
  readonly card?: SandboxCard | undefined;
  readonly entryMode?: EntryMode | undefined;
}

/** Decides requests, stores their responses and moves the money. Every call must be inside a transaction of the ledger. */
export class RequestExecution {
  readonly terminalTransactions: TerminalTransactions;

  constructor(
    private readonly ledger: Ledger,
    { terminals, sessions }: Pick<TerminalParts, 'terminals' | 'sessions'>,
    private readonly times: ExecutionTimes,
  ) {
    this.terminalTransactions = new TerminalTransactions(
      { ledger, terminals, sessions, times },
      (request, decision, presented) =>
        this.carryOut(request, 'FirstSend', times.realNow(), decision, presented),
    );
  }

  /** For a key that has not executed yet. */
  executeFirst(request: AcquirerRequest, send: SendKind): Reaction {
    const now = this.times.realNow();
    if ('originalKey' in request) {
      const original = this.originalOf(request, now);
      return this.carryOut(request, send, now, this.decideFollowUp(request, original), { original });
    }
    const { terminalId } = request;
    if (terminalId !== undefined) {
      return this.terminalTransactions.start({ ...request, terminalId }, (atTerminal, decision, presented) =>
        this.carryOut(atTerminal, send, now, decision, presented),
      );
    }
    const card = request.card && cardByNumber(request.card.number);
    return this.carryOut(request, send, now, decideCardRequest(request, card, this.times.serviceNow), {
      card,
    });
  }

  /** Executes a due key. Checks a follow-up again, because others may have used its original since. */
  executeDue(row: OperationRow, now: number): HostResponse {
    const { dueAt = now, ...rest } = row;
    const { request } = row;
    if (!request || !row.answer) throw new Error(`sandbox ledger: ${row.key} is due and has no request`);
    const original = 'originalKey' in request ? this.originalOf(request, now) : undefined;
    const decision = 'originalKey' in request ? this.decideFollowUp(request, original) : undefined;
    const refused = decision !== undefined && decision.approvedAmount === undefined;
    const answer = refused ? hostResponse(row.key, request, decision, undefined) : row.answer;
    this.ledger.put({ ...rest, state: 'Done', answer });
    this.moveMoney({ ...rest, request, answer }, original, Math.min(dueAt, now));
    return answer;
  }

  /** For a key that another account has used. */
  foreignKeyResponse(key: string, request: StoredRequest): HostResponse {
    return hostResponse(key, request, { hostCode: HOST_CODE.RecordNotFound }, undefined);
  }

  annulledKeyResponse(key: string, request: StoredRequest): HostResponse {
    return hostResponse(key, request, { hostCode: HOST_CODE.Annulled }, undefined);
  }

  /** Special amounts have an effect only on a request that would be approved without them. */
  private carryOut(
    request: AcquirerRequest,
    send: SendKind,
    now: number,
    decision: HostDecision,
    { card, original, entryMode }: RequestSubject,
  ): Reaction {
    const approves = decision.approvedAmount !== undefined;
    const trigger = approves ? amountTrigger(request.operation, request.amount, false) : undefined;
    const effect = trigger?.effect;
    if (effect === 'ConnectionRefused') return { kind: 'ConnectionRefused' };
    const final = trigger ? applyAmount(decision, trigger, request.operation) : decision;
    const answer = hostResponse(request.key, request, final, card, entryMode);
    const verified = request.operation === 'Verify' && final.approvedAmount !== undefined && card;
    const row: OperationRow = {
      key: request.key,
      state: 'Done',
      request,
      root: original?.root ?? request.key,
      answer,
      ...(verified && { storedCard: toStoredCard(request, verified) }),
      silent: effect === 'AnswerLost' || effect === 'InquiriesFail',
      failingInquiries: effect === 'InquiriesFail' ? FAILING_INQUIRIES : 0,
      batchClosed: effect === 'ClosesBatch',
      receivedAt: now,
    };
    const delay = this.delayOf(effect, send);
    if (delay) {
      this.ledger.put({
        ...row,
        state: delay.state,
        ...(delay.ms !== undefined && { dueAt: now + delay.ms }),
      });
      return { kind: 'Silent', ...(delay.ms !== undefined && { answersAfterMs: delay.ms }) };
    }
    this.ledger.put(row);
    this.moveMoney(row, original, now);
    return row.silent ? { kind: 'Silent' } : { kind: 'Answered', ...storedResponse(row) };
  }

  /** The state and delay of a request that does not execute at once; without `ms` it does not execute. */
  private delayOf(
    effect: AmountTrigger['effect'] | undefined,
    send: SendKind,
  ): { readonly state: OperationRow['state']; readonly ms?: number } | undefined {
    const { processorDeadlineMs, lateExecutionDelayMs } = this.times;
    if (effect === 'FirstSendLost' && send === 'FirstSend') return { state: 'Lost' };
    if (effect === 'Slow') return { state: 'Running', ms: SLOW_MS };
    if (effect === 'BreaksItsWord') return { state: effect, ms: processorDeadlineMs + lateExecutionDelayMs };
    return undefined;
  }

  /** First executes an original that is due. */
  private originalOf(
    { originalKey, account }: Pick<FollowUpRequest, 'originalKey' | 'account'>,
    now: number,
  ): OperationRow | undefined {
    const row = this.ledger.find(originalKey);
    if (row && !belongsToAccount(row, account)) return undefined;
    if (row?.dueAt === undefined || row.dueAt > now) return row;
    this.executeDue(row, now);
    return this.ledger.find(originalKey);
  }

  private decideFollowUp(
    request: Omit<FollowUpRequest, 'key'>,
    original: OperationRow | undefined,
  ): HostDecision {
    const use = original ? this.ledger.usedAmounts(original.key) : { used: 0, undone: 0 };
    return decideFollowUp(request, original, use);
  }

  private moveMoney(
    row: Pick<OperationRow, 'key' | 'request' | 'answer' | 'root'>,
    original: OperationRow | undefined,
    at: number,
  ): void {
    const { key, request, answer, root } = row;
    if (!request || !root || !answer || answer.approvedAmount === 0 || request.operation === 'Verify') return;
    this.ledger.move({
      key,
      kind: movementKind(request.operation, original?.request?.operation),
      root,
      ...('originalKey' in request && { originalKey: request.originalKey }),
      merchantId: request.merchantId,
      currency: request.currency,
      amount: answer.approvedAmount,
      at,
    });
  }
}

function movementKind(
  operation: Exclude<StoredRequest['operation'], 'Verify'>,
  original: StoredRequest['operation'] | undefined,
): MovementKind {
  switch (operation) {
    case 'Authorize':
      return 'Authorized';
    case 'Sale':
    case 'Capture':
      return 'Captured';
    case 'UnreferencedRefund':
      return 'Credited';
    case 'Refund':
      return 'Refunded';
    case 'Void':
    case 'Reverse':
      if (original === 'Authorize') return 'Released';
      return original === 'UnreferencedRefund' ? 'CreditReversed' : 'Voided';
  }
}
