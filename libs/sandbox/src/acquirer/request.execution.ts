import { isBankChannel } from '@tillstream/domain';
import { Bank } from '../bank/bank.js';
import type { AcquirerRequest, FollowUpRequest, HostResponse, Reaction } from './acquirer.types.js';
import { amountTrigger, type AmountEffect } from './amounts.table.js';
import { cardId, CARDS_BY_NUMBER, TERMINAL_CARD_EXPIRY } from './cards.table.js';
import { hostResponse, storedResponse, type PresentedCard } from './host-response.js';
import {
  applyAmount,
  decideBankSale,
  decideCardRequest,
  decideFollowUp,
  type HostDecision,
} from './host.decision.js';
import {
  belongsToAccount,
  NO_EFFECTS,
  type Ledger,
  type MovementKind,
  type OperationRow,
  type StoredRequest,
} from '../ledger/ledger.js';
import { TerminalTransactions } from '../terminals/terminal.transactions.js';
import type { SandboxParts, SandboxTimes } from '../sandbox.parts.js';

const SLOW_MS = 5_000;
const FAILING_INQUIRIES = 3;

/** `SentAgain`: an earlier send of the key was lost. */
export type SendKind = 'FirstSend' | 'SentAgain';

/** A request with the issuer's decision about it. */
export interface DecidedRequest extends PresentedCard {
  readonly request: AcquirerRequest;
  readonly send: SendKind;
  readonly decision: HostDecision;
  readonly original?: OperationRow | undefined;
  /** The acquirer hands the request on to the bank, which answers later with `decision`. */
  readonly forBank?: boolean;
}

/** Decides requests, stores their responses and moves the money. Every call must be inside a transaction of the ledger. */
export class RequestExecution {
  readonly terminalTransactions: TerminalTransactions;
  readonly bank: Bank;
  private readonly ledger: Ledger;
  private readonly times: SandboxTimes;

  constructor(parts: SandboxParts) {
    this.ledger = parts.ledger;
    this.times = parts.times;
    this.bank = new Bank(parts, (row, at) => this.complete(row, this.times.realNow(), at));
    this.terminalTransactions = new TerminalTransactions(parts, (decided) => this.carryOut(decided));
  }

  /** For a key that has not executed yet. */
  executeFirst(request: AcquirerRequest, send: SendKind): Reaction {
    if (request.originalKey !== undefined) {
      const original = this.originalOf(request, this.times.realNow());
      const decision = this.decideFollowUp(request, original);
      const forBank = isBankChannel(request.channel) && decision.approvedAmount !== undefined;
      return this.carryOut({ request, send, original, decision, forBank });
    }
    const { terminalId, bankAccount } = request;
    if (bankAccount && isBankChannel(request.channel) && request.operation === 'Sale') {
      const decision = decideBankSale(request, bankAccount);
      return this.carryOut({ request, send, bankAccount, decision, forBank: true });
    }
    if (terminalId !== undefined) return this.terminalTransactions.start({ ...request, terminalId }, send);
    const card = request.card && CARDS_BY_NUMBER.get(request.card.number);
    const decision = decideCardRequest(request, card, this.times.serviceNow);
    return this.carryOut({ request, send, card, decision });
  }

  /** Applies what is due for the row at its terminal or at the bank, and returns it as it is then. */
  settle(row: OperationRow): OperationRow {
    return row.state === 'Waiting' ? this.terminalTransactions.settle(row) : this.bank.settle(row);
  }

  /** Executes a due key. A request for the bank is submitted to it now. */
  executeDue({ dueAt, ...row }: OperationRow, now: number): HostResponse {
    const executedAt = Math.min(dueAt ?? now, now);
    return row.request && isBankChannel(row.request.channel)
      ? storedResponse(this.bank.submit(row, now - executedAt)).answer
      : this.complete(row, executedAt);
  }

  /**
   * Stores the final response. Checks a follow-up again, because others may have used its original since.
   * @param bankAt of a bank's answer, the service's clock: what the bank did later with the original does not count
   */
  private complete(row: OperationRow, at: number, bankAt?: number): HostResponse {
    const { key, request } = row;
    let { answer } = row;
    if (!request || !answer) throw new Error(`sandbox ledger: ${key} is due and has no request`);
    let original: OperationRow | undefined;
    if (request.originalKey !== undefined) {
      original = this.originalOf(request, this.times.realNow(), bankAt);
      const decision = this.decideFollowUp(request, original);
      if (decision.approvedAmount === undefined) answer = hostResponse(key, request, decision);
    }
    this.ledger.put({ ...row, state: 'Done', answer });
    this.moveMoney({ ...row, answer }, original, at);
    return answer;
  }

  /** Special amounts have an effect only on a request that would be approved without them. */
  private carryOut(decided: DecidedRequest): Reaction {
    const { request, send, decision, original } = decided;
    const trigger = decision.approvedAmount === undefined ? undefined : amountTrigger(request);
    if (trigger?.effect === 'ConnectionRefused') return { kind: 'ConnectionRefused' };
    const final = trigger ? applyAmount(decision, trigger, request.operation) : decision;
    const now = this.times.realNow();
    const row: OperationRow = {
      key: request.key,
      state: 'Done',
      request,
      root: original?.root ?? request.key,
      answer: hostResponse(request.key, request, final, decided),
      ...verifiedCard(request, final, decided),
      ...deliveryEffects(trigger?.effect),
      receivedAt: now,
    };
    const delayed = this.delayOf(trigger?.effect, send, now);
    if (delayed) {
      this.ledger.put({ ...row, ...delayed });
      const { dueAt } = delayed;
      return { kind: 'Silent', ...(dueAt !== undefined && { answersAfterMs: dueAt - now }) };
    }
    // The gateway's own codes (940000 + n, 930000 + n) end the request before the bank gets it.
    if (decided.forBank && trigger?.effect !== 'GatewayCode') {
      return reactionOf(this.bank.submit(row));
    }
    this.ledger.put(row);
    this.moveMoney(row, original, now);
    return reactionOf(row);
  }

  /** The state of a request that does not execute at once; without `dueAt` it does not execute. */
  private delayOf(
    effect: AmountEffect | undefined,
    send: SendKind,
    now: number,
  ): Pick<OperationRow, 'state' | 'dueAt'> | undefined {
    const { processorDeadlineMs, lateExecutionDelayMs } = this.times;
    if (effect === 'FirstSendLost' && send === 'FirstSend') return { state: 'Lost' };
    if (effect === 'Slow') return { state: 'Running', dueAt: now + SLOW_MS };
    if (effect !== 'BreaksItsWord') return undefined;
    return { state: effect, dueAt: now + processorDeadlineMs + lateExecutionDelayMs };
  }

  /** First executes an original that is due. */
  private originalOf(
    { originalKey, account }: Pick<FollowUpRequest, 'originalKey' | 'account'>,
    now: number,
    bankAt?: number,
  ): OperationRow | undefined {
    const row = this.ledger.find(originalKey);
    if (row && !belongsToAccount(row, account)) return undefined;
    if (row?.dueAt === undefined) return row && this.bank.settle(row, bankAt);
    if (row.dueAt > now) return row;
    this.executeDue(row, now);
    return this.ledger.find(originalKey);
  }

  private decideFollowUp(
    request: Omit<FollowUpRequest, 'key'>,
    original: OperationRow | undefined,
  ): HostDecision {
    return decideFollowUp(request, original, this.ledger.usedAmounts(request.originalKey));
  }

  private moveMoney(
    { key, request, answer, root }: OperationRow,
    original: OperationRow | undefined,
    at: number,
  ): void {
    if (!request || !root || !answer || answer.approvedAmount === 0 || request.operation === 'Verify') return;
    const { operation, merchantId, currency, originalKey } = request;
    this.ledger.move({
      key,
      kind: movementKind(operation, original?.request?.operation),
      root,
      ...(originalKey !== undefined && { originalKey }),
      merchantId,
      currency,
      amount: answer.approvedAmount,
      at,
    });
  }
}

function reactionOf(row: OperationRow): Reaction {
  return row.silent ? { kind: 'Silent' } : { kind: 'Answered', ...storedResponse(row) };
}

/** The card of an approved verification. The ledger stores its id, and not its number. */
function verifiedCard(
  request: AcquirerRequest,
  { approvedAmount }: HostDecision,
  { card }: PresentedCard,
): Pick<OperationRow, 'storedCard'> {
  if (request.operation !== 'Verify' || approvedAmount === undefined || !card) return {};
  const expDate = request.terminalId === undefined ? request.card?.expDate : TERMINAL_CARD_EXPIRY;
  return { storedCard: { id: cardId(card), expDate: expDate ?? '' } };
}

function deliveryEffects(effect: AmountEffect | undefined): typeof NO_EFFECTS {
  switch (effect) {
    case 'AnswerLost':
      return { ...NO_EFFECTS, silent: true };
    case 'InquiriesFail':
      return { ...NO_EFFECTS, silent: true, failingInquiries: FAILING_INQUIRIES };
    case 'ClosesBatch':
      return { ...NO_EFFECTS, batchClosed: true };
    default:
      return NO_EFFECTS;
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
