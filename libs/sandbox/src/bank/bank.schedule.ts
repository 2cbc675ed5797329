import type { SandboxDatabase } from '../ledger/sandbox.database.js';

/** The next step of the bank with one payment or refund. */
export interface BankStep {
  readonly key: string;
  readonly step: 'Answer' | 'Return';
  /** Counts the bank's payments from 1. */
  readonly number: number;
  /** The service's clock, ms. */
  readonly dueAt: number;
}

function prepareStatements({ sqlite }: SandboxDatabase) {
  const columns = 'SELECT key, step, number, due_at AS dueAt FROM bank_schedule';
  return {
    find: sqlite.prepare<[string], BankStep>(`${columns} WHERE key = ?`),
    put: sqlite.prepare(
      'INSERT OR REPLACE INTO bank_schedule (key, step, number, due_at) VALUES (?, ?, ?, ?)',
    ),
    remove: sqlite.prepare('DELETE FROM bank_schedule WHERE key = ?'),
    due: sqlite.prepare<[number, number], BankStep>(`${columns} WHERE due_at <= ? ORDER BY due_at LIMIT ?`),
    countDue: sqlite
      .prepare<[number], number>('SELECT count(*) FROM bank_schedule WHERE due_at <= ?')
      .pluck(),
    nextNumber: sqlite
      .prepare<[], number>('UPDATE bank SET payments = payments + 1 RETURNING payments')
      .pluck(),
  };
}

/** What the bank still has to do. A step that is done leaves the table, so its size does not grow with history. */
export class BankSchedule {
  private readonly statements: ReturnType<typeof prepareStatements>;

  constructor(database: SandboxDatabase) {
    this.statements = prepareStatements(database);
  }

  find(key: string): BankStep | undefined {
    return this.statements.find.get(key);
  }

  put({ key, step, number, dueAt }: BankStep): void {
    this.statements.put.run(key, step, number, dueAt);
  }

  remove(key: string): void {
    this.statements.remove.run(key);
  }

  /** Oldest first, at most `stepsMax`. */
  due(now: number, stepsMax: number): BankStep[] {
    return this.statements.due.all(now, stepsMax);
  }

  countDue(now: number): number {
    return this.statements.countDue.get(now) ?? 0;
  }

  /** Of a new payment. */
  nextNumber(): number {
    return this.statements.nextNumber.get() ?? 0;
  }
}
