import type { SandboxDatabase } from '../ledger/sandbox.database.js';
import type { DeliveredMessages } from './bank.types.js';

/** `Pending`: the stale message that the bank has no answer yet. */
export type BankMessageKind = 'Answered' | 'Pending' | 'Returned' | 'NoticeOfChange';

export interface OutgoingMessage {
  readonly id: string;
  readonly key: string;
  readonly kind: BankMessageKind;
  /** The service's clock, ms. */
  readonly dueAt: number;
  /** How often the bank sends it. */
  readonly sends: number;
}

/** The service's clock decides what is due, real time how long a claim lasts. Ms. */
export interface OutboxTimes {
  readonly service: number;
  readonly real: number;
}

/** A claimed message that is neither acknowledged nor refused comes again after this time: its process may have died. */
const CLAIM_MS = 15_000;
const REFUSED_PAUSE_MS = 1_000;

function prepareStatements({ sqlite }: SandboxDatabase) {
  const due = 'due_at <= ? AND claimed_until <= ?';
  return {
    put: sqlite.prepare(
      `INSERT INTO bank_message (id, key, kind, due_at, sends) VALUES (?, ?, ?, ?, ?)
       ON CONFLICT (id) DO UPDATE SET sends = sends + excluded.sends`,
    ),
    claimable: sqlite.prepare<[number, number, number], OutgoingMessage>(
      `SELECT id, key, kind, due_at AS dueAt, sends FROM bank_message WHERE ${due} ORDER BY due_at LIMIT ?`,
    ),
    claimUntil: sqlite.prepare('UPDATE bank_message SET claimed_until = ? WHERE id = ?'),
    removeLast: sqlite.prepare('DELETE FROM bank_message WHERE id = ? AND sends <= 1'),
    sendAgain: sqlite.prepare('UPDATE bank_message SET sends = sends - 1, claimed_until = 0 WHERE id = ?'),
    countDue: sqlite.prepare<[number], number>('SELECT count(*) FROM bank_message WHERE due_at <= ?').pluck(),
  };
}

/** The messages that the bank has still to send. A message that was acknowledged leaves the table. */
export class BankOutbox {
  private readonly statements: ReturnType<typeof prepareStatements>;

  constructor(database: SandboxDatabase) {
    this.statements = prepareStatements(database);
  }

  put({ id, key, kind, dueAt, sends }: OutgoingMessage): void {
    this.statements.put.run(id, key, kind, dueAt, sends);
  }

  hasDue({ service, real }: OutboxTimes): boolean {
    return this.statements.claimable.get(service, real, 1) !== undefined;
  }

  /** Oldest first. No other process claims these messages for 15 s. */
  claim({ service, real }: OutboxTimes, messagesMax: number): OutgoingMessage[] {
    const messages = this.statements.claimable.all(service, real, messagesMax);
    for (const { id } of messages) this.statements.claimUntil.run(real + CLAIM_MS, id);
    return messages;
  }

  /** Messages that are unknown, or were acknowledged before, are ignored. */
  settle({ acknowledged, refused }: DeliveredMessages, realNow: number): void {
    const { removeLast, sendAgain, claimUntil } = this.statements;
    for (const id of acknowledged) if (removeLast.run(id).changes === 0) sendAgain.run(id);
    for (const id of refused) claimUntil.run(realNow + REFUSED_PAUSE_MS, id);
  }

  /** Claimed ones too. */
  countDue(serviceNow: number): number {
    return this.statements.countDue.get(serviceNow) ?? 0;
  }
}
