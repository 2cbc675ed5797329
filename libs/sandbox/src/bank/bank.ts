import { isBankChannel } from '@tillstream/domain';
import type { HostResponse } from '../acquirer/acquirer.types.js';
import { submittedResponse } from '../acquirer/host-response.js';
import type { OperationRow } from '../ledger/ledger.js';
import type { SandboxParts } from '../sandbox.parts.js';
import { BANK_ACCOUNTS_BY_LAST_FOUR, type SandboxBankAccount } from './bank-accounts.table.js';
import { BankOutbox, type OutboxTimes, type OutgoingMessage } from './bank.outbox.js';
import { BankSchedule, type BankStep } from './bank.schedule.js';
import type { BankMessage, BankMessageContent, DeliveredMessages } from './bank.types.js';
import { RETURN_REASONS } from './return-codes.table.js';

const HOUR_MS = 3_600_000;
/** By the service's clock, like every time of the bank. */
export const BANK_ANSWER_MS = 24 * HOUR_MS;
export const BANK_RETURN_MS = 72 * HOUR_MS;
/** After the message that a repeated or stale one follows. */
const ECHO_MS = 1_000;
/** The answers to every tenth payment come twice, and stale messages follow. */
const ECHOES_EVERY = 10;
const STEPS_PER_TRANSACTION_MAX = 500;

/**
 * The simulated bank: it answers a payment or refund 24 h after its submission, and tells it in messages. All state is in
 * the file, and there are no timers: a call that finds a step due carries it out.
 */
export class Bank {
  private readonly schedule: BankSchedule;
  private readonly outbox: BankOutbox;

  /** @param complete stores the final answer of a submitted row, and moves its money; `at`: the service's clock, ms */
  constructor(
    private readonly parts: SandboxParts,
    private readonly complete: (row: OperationRow, at: number) => HostResponse,
  ) {
    this.schedule = new BankSchedule(parts.database);
    this.outbox = new BankOutbox(parts.database);
  }

  /**
   * Accepts a payment or refund, whose `answer` is the bank's final one. Inside a transaction.
   * @param agoMs how long ago the request arrived, real time
   */
  submit(row: OperationRow, agoMs = 0): OperationRow {
    const submitted: OperationRow = { ...row, state: 'Submitted' };
    this.parts.ledger.put(submitted);
    const dueAt = this.parts.times.serviceNow() - agoMs + BANK_ANSWER_MS;
    this.schedule.put({ key: row.key, step: 'Answer', number: this.schedule.nextNumber(), dueAt });
    return submitted;
  }

  /** Carries out what is due for the row at `now`, and returns it as it is then. Inside a transaction. */
  settle(row: OperationRow, now = this.parts.times.serviceNow()): OperationRow {
    if (!row.request || !isBankChannel(row.request.channel)) return row;
    let settled = row;
    for (;;) {
      const step = this.schedule.find(row.key);
      if (!step || step.dueAt > now) return settled;
      this.carryOut(step);
      settled = this.parts.ledger.find(row.key) ?? settled;
    }
  }

  /** Carries out every step that is due. */
  settleAll(): void {
    while (this.schedule.countDue(this.parts.times.serviceNow()) > 0) {
      this.parts.database.transaction(() => this.carryOutDue(STEPS_PER_TRANSACTION_MAX));
    }
  }

  /**
   * The messages that are due, oldest first. No other claim gets them for 15 s of real time. Takes no write lock if nothing
   * is due.
   */
  claimMessages(messagesMax: number): BankMessage[] {
    if (!this.hasDue()) return [];
    return this.parts.database.transaction(() => {
      this.carryOutDue(messagesMax);
      return this.outbox.claim(this.now(), messagesMax).map((message) => this.messageOf(message));
    });
  }

  settleMessages(delivered: DeliveredMessages): void {
    this.parts.database.transaction(() => this.outbox.settle(delivered, this.parts.times.realNow()));
  }

  /** Messages that are due and not acknowledged, claimed ones too. A step that is due counts as one. */
  countDueMessages(): number {
    const { service } = this.now();
    return this.schedule.countDue(service) + this.outbox.countDue(service);
  }

  private hasDue(): boolean {
    const now = this.now();
    return this.outbox.hasDue(now) || this.schedule.due(now.service, 1).length > 0;
  }

  private now(): OutboxTimes {
    const { serviceNow, realNow } = this.parts.times;
    return { service: serviceNow(), real: realNow() };
  }

  private carryOutDue(stepsMax: number): void {
    for (const step of this.schedule.due(this.parts.times.serviceNow(), stepsMax)) this.carryOut(step);
  }

  private carryOut(step: BankStep): void {
    const row = this.requireRow(step.key);
    if (step.step === 'Answer') this.answer(step, row);
    else this.takeBack(step, row);
  }

  private answer(step: BankStep, row: OperationRow): void {
    const { key, number, dueAt } = step;
    const answer = this.complete(row, dueAt);
    const hasEchoes = number % ECHOES_EVERY === 0;
    this.outbox.put({ ...answerMessage(step), sends: hasEchoes ? 2 : 1 });
    if (hasEchoes)
      this.outbox.put({ id: `PND-${number}`, key, kind: 'Pending', dueAt: dueAt + ECHO_MS, sends: 1 });
    const account = accountOf(answer);
    if (account?.correctedNumber !== undefined)
      this.outbox.put({ id: `NOC-${number}`, key, kind: 'NoticeOfChange', dueAt, sends: 1 });
    if (account?.returns === undefined) this.schedule.remove(key);
    else this.schedule.put({ ...step, step: 'Return', dueAt: dueAt + BANK_RETURN_MS });
  }

  private takeBack(step: BankStep, row: OperationRow): void {
    const { key, number, dueAt } = step;
    this.schedule.remove(key);
    const { request, root = key, answer } = row;
    if (!request || !answer) throw new Error(`sandbox ledger: ${key} has nothing to return`);
    this.parts.ledger.move({
      key: returnId(key),
      kind: 'Returned',
      root,
      originalKey: key,
      merchantId: request.merchantId,
      currency: request.currency,
      amount: answer.approvedAmount,
      at: this.parts.times.realNow(),
    });
    const hasEchoes = number % ECHOES_EVERY === 0;
    this.outbox.put({ id: `RET-${number}`, key, kind: 'Returned', dueAt, sends: hasEchoes ? 2 : 1 });
    if (hasEchoes) this.outbox.put({ ...answerMessage(step), dueAt: dueAt + ECHO_MS, sends: 1 });
  }

  private messageOf({ id, key, kind }: OutgoingMessage): BankMessage {
    const { answer } = this.requireRow(key);
    if (!answer) throw new Error(`sandbox ledger: ${key} has no answer of the bank`);
    return { id, key, content: contentOf(kind, key, answer) };
  }

  private requireRow(key: string): OperationRow {
    const row = this.parts.ledger.find(key);
    if (!row) throw new Error(`sandbox ledger: the bank has ${key}, the acquirer does not`);
    return row;
  }
}

function answerMessage({ number, key, dueAt }: BankStep): Omit<OutgoingMessage, 'sends'> {
  return { id: `ANS-${number}`, key, kind: 'Answered', dueAt };
}

/** Undefined unless the bank approved a payment from an account of its table. */
function accountOf({ outcome, bankAccount }: HostResponse): SandboxBankAccount | undefined {
  return outcome === 'Approved' && bankAccount
    ? BANK_ACCOUNTS_BY_LAST_FOUR.get(bankAccount.maskedNumber.slice(-4))
    : undefined;
}

function returnId(key: string): string {
  return `ret_${key.replace(/^trx_/, '')}`;
}

function contentOf(kind: OutgoingMessage['kind'], key: string, answer: HostResponse): BankMessageContent {
  const { returns = 'R01', correctedNumber = '' } = accountOf(answer) ?? {};
  switch (kind) {
    case 'Answered':
      return { kind, answer };
    case 'Pending':
      return { kind: 'Answered', answer: submittedResponse(answer) };
    case 'Returned': {
      const reason = RETURN_REASONS[returns];
      return { kind, returnId: returnId(key), code: returns, reason, amount: answer.approvedAmount };
    }
    case 'NoticeOfChange':
      return { kind, code: 'C01', corrected: { accountNumber: correctedNumber } };
  }
}
