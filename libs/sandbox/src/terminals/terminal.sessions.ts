import type { Statement } from 'better-sqlite3';
import type { CardRequest } from '../acquirer/acquirer.types.js';
import type { EntryMode, ResultCode } from '@tillstream/domain';
import { withoutNulls, type SandboxDatabase } from '../ledger/sandbox.database.js';

/**
 * `Card`: the terminal waits for a card. `Chip`: it reads an inserted card, and accepts a PIN. `Pin`: it waits for a PIN.
 * `Over`: it waits for nothing. `Ended`: it ended the request before the request reached the issuer.
 */
type TerminalSessionStep = 'Card' | 'Chip' | 'Pin' | 'Over' | 'Ended';

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
interface EarlyEnd extends Pick<CardRequest, 'operation' | 'amount' | 'currency'> {
  readonly resultCode: ResultCode;
  /** Real time, ms. */
  readonly at: number;
}

type Row = Omit<TerminalSession, 'ended'> & { readonly ended: string | null };

/** The rows, one per terminal. Writes must be inside `SandboxDatabase.transaction`. */
export class TerminalSessions {
  private readonly findRow: Statement<[string], Row>;
  private readonly putRow: Statement<unknown[]>;
  private readonly overRow: Statement<[string, string]>;
  private readonly dueRows: Statement<[number, number], string>;

  constructor({ sqlite }: SandboxDatabase) {
    this.findRow = sqlite.prepare(
      `SELECT terminal AS terminalId, key, step, until, chip_read_at AS chipReadAt, card, entry_mode AS entryMode, ended
       FROM visit WHERE terminal = ?`,
    );
    this.putRow = sqlite.prepare(
      `INSERT OR REPLACE INTO visit (terminal, key, step, until, chip_read_at, card, entry_mode, ended)
       VALUES (@terminalId, @key, @step, @until, @chipReadAt, @card, @entryMode, @ended)`,
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
    if (!row) return undefined;
    const { ended, ...session } = row;
    return {
      ...withoutNulls<TerminalSession>(session),
      ...(ended !== null && { ended: JSON.parse(ended) as EarlyEnd }),
    };
  }

  put({ ended, ...session }: TerminalSession): void {
    const empty = { chipReadAt: null, card: null, entryMode: null };
    this.putRow.run({ ...empty, ...session, ended: ended ? JSON.stringify(ended) : null });
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
