/**
 * The bank's part of the sandbox's file. Both lists hold only what is still to be done, so the cost of a poll does not grow
 * with history. `number`: of the payment, from 1. `due_at`: the service's clock; `claimed_until`: real time.
 */
export const BANK_TABLES = `
  CREATE TABLE IF NOT EXISTS bank (only INTEGER PRIMARY KEY CHECK (only = 1), payments INTEGER NOT NULL);
  INSERT OR IGNORE INTO bank VALUES (1, 0);

  CREATE TABLE IF NOT EXISTS bank_schedule (
    key TEXT PRIMARY KEY,
    step TEXT NOT NULL,
    number INTEGER NOT NULL,
    due_at INTEGER NOT NULL
  ) WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS bank_schedule_due ON bank_schedule (due_at);

  CREATE TABLE IF NOT EXISTS bank_message (
    id TEXT PRIMARY KEY,
    key TEXT NOT NULL,
    kind TEXT NOT NULL,
    due_at INTEGER NOT NULL,
    sends INTEGER NOT NULL,
    claimed_until INTEGER NOT NULL DEFAULT 0
  ) WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS bank_message_due ON bank_message (due_at);
`;
