import type { Statement } from 'better-sqlite3';
import type { CardOperation } from '../acquirer/acquirer.types.js';
import type { Cents, Currency, EntryMode, ResultCode } from '@tillstream/domain';
import type { SandboxDatabase } from '../ledger/sandbox.database.js';

/**
 * `Card`: the terminal waits for a card. `Chip`: it reads an inserted card; a PIN is accepted meanwhile. `Pin`: it waits for
 * a PIN. `Over`: it waits for nothing. `ResolutionWriteResult`: it ended the request before it reached the issuer.
 */
export type TerminalSessionStep = 'Card' | 'Chip' | 'Pin' | 'Over' | 'Ended';

/** The last session of a customer at a terminal. */
export interface TerminalSession {
  readonly terminalId: string;
  readonly key: string;
  readonly step: TerminalSessionStep;
  /** The customer's time limit, by the service's clock, ms. */
  readonly until: number;
  /** When the chip has been read, real time, ms. */
  readonly chipReadAt?: number;
  /** The name or id of the card, as in a terminal's settings. */
  readonly card?: string;
  readonly entryMode?: EntryMode;
  readonly ended?: EarlyEnd;
}

/** A transaction that ended before it was in the ledger. */
export interface EarlyEnd {
  readonly operation: CardOperation;
  readonly amount: Cents;
  readonly currency: Currency;
  readonly resultCode: ResultCode;
  /** Real time, ms. */
  readonly at: number;
}

interface Row {
  terminal: string;
  key: string;
  step: TerminalSessionStep;
  until: number;
  chip_read_at: number | null;
  card: string | null;
  entry_mode: EntryMode | null;
  ended: string | null;
}

/** The rows, one per terminal. Writes must be inside `SandboxDatabase.transaction`. */
export class TerminalSessions {
  private readonly findRow: Statement<[string], Row>;
  private readonly putRow: Statement<unknown[]>;
  private readonly overRow: Statement<[string, string]>;
  private readonly dueRows: Statement<[number, number], string>;

  constructor({ sqlite }: SandboxDatabase) {
    this.findRow = sqlite.prepare('SELECT * FROM visit WHERE terminal = ?');
    this.putRow = sqlite.prepare(
      `INSERT OR REPLACE INTO visit (terminal, key, step, until, chip_read_at, card, entry_mode, ended)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
    );
    this.overRow = sqlite.prepare(`UPDATE visit SET step = 'Over' WHERE terminal = ? AND key = ?`);
    this.dueRows = sqlite
      .prepare<[number, number], string>(
        `SELECT key FROM visit
         WHERE step IN ('Card', 'Chip', 'Pin') AND (until <= ? OR (step = 'Chip' AND chip_read_at <= ?))`,
      )
      .pluck();
  }

  find(terminalId: string): TerminalSession | undefined {
    const row = this.findRow.get(terminalId);
    return row && toSession(row);
  }

  put(session: TerminalSession): void {
    const { terminalId, key, step, until, chipReadAt, card, entryMode, ended } = session;
    this.putRow.run(
      terminalId,
      key,
      step,
      until,
      chipReadAt ?? null,
      card ?? null,
      entryMode ?? null,
      ended ? JSON.stringify(ended) : null,
    );
  }

  /** Does nothing if another transaction is on the terminal now. */
  finish(terminalId: string, key: string): void {
    this.overRow.run(terminalId, key);
  }

  /** Keys whose time limit has passed, or whose chip has been read. */
  keysDue(serviceNow: number, realNow: number): string[] {
    return this.dueRows.all(serviceNow, realNow);
  }
}

export function isSessionOpen({ step }: TerminalSession): boolean {
  return step === 'Card' || step === 'Chip' || step === 'Pin';
}

function toSession(row: Row): TerminalSession {
  return {
    terminalId: row.terminal,
    key: row.key,
    step: row.step,
    until: row.until,
    ...(row.chip_read_at !== null && { chipReadAt: row.chip_read_at }),
    ...(row.card !== null && { card: row.card }),
    ...(row.entry_mode !== null && { entryMode: row.entry_mode }),
    ...(row.ended !== null && { ended: JSON.parse(row.ended) as EarlyEnd }),
  };
}
