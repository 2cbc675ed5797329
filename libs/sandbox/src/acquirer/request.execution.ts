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
  /** Of this machine: what is due, and how long a terminal is busy. */
  realNow(): number;
  /** Of the service: cards expire by it. */
  serviceNow(): number;
}

/** `SentAgain`: an earlier send of the key was lost. */
export type SendKind = 'FirstSend' | 'SentAgain';

/** What a request names: an earlier key, or a card. */
interface RequestSubject {
  readonly original?: OperationRow | undefined;
  readonly card?: SandboxCard | undefined;
  readonly entryMode?: EntryMode | undefined;
}

/** How a key comes to its answer, and the answer to money. Every call belongs inside a transaction of the ledger. */
export class RequestExecution {
  readonly terminalTransactions: TerminalTransactions;

  constructor(
    private readonly ledger: Ledger,
    { terminals, sessions }: Pick<TerminalParts, 'terminals' | 'sessions'>,
    private readonly times: ExecutionTimes,
  ) {
    this.terminalTransactions = new TerminalTransactions(
      { ledger, terminals, sessions, times },
      (request, verdict, presented) =>
        this.carryOut(request, 'FirstSend', times.realNow(), verdict, presented),
    );
  }

  /** A key that has not executed yet. */
  executeFirst(request: AcquirerRequest, send: SendKind): Reaction {
    const now = this.times.realNow();
    if ('originalKey' in request) {
      const original = this.originalOf(request, now);
      return this.carryOut(request, send, now, this.followUp(request, original), { original });
    }
    const { terminalId } = request;
    if (terminalId !== undefined) {
      return this.terminalTransactions.start({ ...request, terminalId }, (atTerminal, verdict, presented) =>
        this.carryOut(atTerminal, send, now, verdict, presented),
      );
    }
    const card = request.card && cardByNumber(request.card.number);
    return this.carryOut(request, send, now, decideCardRequest(request, card, this.times.serviceNow), {
      card,
    });
  }

  /** The wait is over: what was due happens, checked anew, as others may have used up its original meanwhile. */
  executeDue(row: OperationRow, now: number): HostResponse {
    const { dueAt = now, ...stays } = row;
    const { request } = row;
    if (!request || !row.answer) throw new Error(`sandbox ledger: ${row.key} is due and has no request`);
    const original = 'originalKey' in request ? this.originalOf(request, now) : undefined;
    const verdict = 'originalKey' in request ? this.followUp(request, original) : undefined;
    const refused = verdict !== undefined && verdict.approvedAmount === undefined;
    const answer = refused ? hostResponse(row.key, request, verdict, undefined) : row.answer;
    this.ledger.put({ ...stays, state: 'Done', answer });
    this.moveMoney({ ...stays, request, answer }, original, Math.min(dueAt, now));
    return answer;
  }

  /** A key that another account has used. */
  foreignKeyResponse(key: string, request: StoredRequest): HostResponse {
    return hostResponse(key, request, { hostCode: HOST_CODE.RecordNotFound }, undefined);
  }

  annulledKeyResponse(key: string, request: StoredRequest): HostResponse {
    return hostResponse(key, request, { hostCode: HOST_CODE.Annulled }, undefined);
  }

  /** An amount has a say only in what would be approved without it. */
  private carryOut(
    request: AcquirerRequest,
    send: SendKind,
    now: number,
    verdict: HostDecision,
    { card, original, entryMode }: RequestSubject,
  ): Reaction {
    const approves = verdict.approvedAmount !== undefined;
    const trigger = approves ? amountTrigger(request.operation, request.amount, false) : undefined;
    const effect = trigger?.effect;
    if (effect === 'ConnectionRefused') return { kind: 'ConnectionRefused' };
    const final = trigger ? applyAmount(verdict, trigger, request.operation) : verdict;
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

  /** What does not happen at once; without `ms` it does not happen at all. */
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

  /** An original that is itself due has happened. */
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

  private followUp(request: Omit<FollowUpRequest, 'key'>, original: OperationRow | undefined): HostDecision {
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
