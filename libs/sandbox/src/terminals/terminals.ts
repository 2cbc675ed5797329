import type { Statement } from 'better-sqlite3';
import type { Cents, Currency, ResultCode } from '@tillstream/domain';
import { DEFAULT_TERMINAL_CARD, type SandboxCard } from '../acquirer/cards.table.js';
import type { SandboxDatabase } from '../ledger/sandbox.database.js';
import { TerminalControlError } from '../sandbox.errors.js';
import {
  terminalCardName,
  isTerminalCard,
  storedTerminalCard,
  TAKEN_CARDS,
  terminalCard,
} from './terminal.cards.js';

/**
 * `Auto` answers by the tables, `Manual` waits for the customer, `Offline` ends with 1003 after 2 s, `LowBattery` with
 * 3006, `LostLink` charges and can't say so.
 */
export const TERMINAL_MODES = ['Auto', 'Manual', 'Offline', 'LowBattery', 'LostLink'] as const;
export type TerminalMode = (typeof TERMINAL_MODES)[number];

export interface TerminalSettings {
  readonly mode: TerminalMode;
  /** A number of the table, a name, or null for the default card. */
  readonly card: string | null;
}

export interface SimulatedTerminal extends TerminalSettings {
  /** The payment method's. */
  readonly id: string;
  /** A transaction that waits for its customer; of a check of a card the amount is 0. */
  readonly waiting: {
    readonly transactionId: string;
    readonly amount: Cents;
    readonly currency: Currency;
  } | null;
}

/** How a terminal is found when a transaction comes to it. */
export interface TerminalState {
  readonly mode: TerminalMode;
  readonly card: SandboxCard;
  readonly busyKey: string | null;
  /** Real time, ms. A process killed in the middle leaves it busy no longer than its transaction could last. */
  readonly busyUntil: number;
}

/** Ms: of the service for what customers do, of this machine for how long a chip is read. */
export interface TerminalTimes {
  serviceNow(): number;
  realNow(): number;
}

interface Row {
  mode: TerminalMode;
  card: string | null;
  busy_key: string | null;
  busy_until: number;
}

interface WaitingRow {
  key: string;
  amount: Cents;
  currency: Currency;
}

const OFFLINE_AFTER_MS = 2_000;
/** While a chip is read nothing is asked of the customer; a visit that is over asks for nothing either. */
const WAITING = `
  SELECT visit.key, operation.amount, operation.currency
  FROM visit JOIN operation ON operation.key = visit.key
  WHERE visit.terminal = ? AND visit.step IN ('Card', 'Pin') AND visit.until > ? AND operation.state = 'Waiting'`;

/** Settings and busy state of simulated terminals, one per payment method; any id is a terminal in `Auto`. */
export class Terminals {
  private readonly readRow: Statement<[string], Row>;
  private readonly readWaiting: Statement<[string, number], WaitingRow>;
  private readonly writeSettings: Statement<[string, TerminalMode, string | null]>;
  private readonly writeBusy: Statement<[string, string, number]>;

  constructor(
    private readonly database: SandboxDatabase,
    private readonly times: Pick<TerminalTimes, 'serviceNow'>,
  ) {
    this.readRow = database.sqlite.prepare(
      'SELECT mode, card, busy_key, busy_until FROM terminal WHERE id = ?',
    );
    this.readWaiting = database.sqlite.prepare(WAITING);
    this.writeSettings = database.sqlite.prepare(
      `INSERT INTO terminal (id, mode, card) VALUES (?, ?, ?)
       ON CONFLICT (id) DO UPDATE SET mode = excluded.mode, card = excluded.card`,
    );
    this.writeBusy = database.sqlite.prepare(
      `INSERT INTO terminal (id, busy_key, busy_until) VALUES (?, ?, ?)
       ON CONFLICT (id) DO UPDATE SET busy_key = excluded.busy_key, busy_until = excluded.busy_until`,
    );
  }

  get(id: string): SimulatedTerminal {
    const row = this.readRow.get(id);
    const card = row?.card ? terminalCardName(row.card) : null;
    const waiting = this.readWaiting.get(id, this.times.serviceNow());
    return {
      id,
      mode: row?.mode ?? 'Auto',
      card,
      waiting: waiting
        ? {
            transactionId: transactionId(waiting.key),
            amount: waiting.amount,
            currency: waiting.currency,
          }
        : null,
    };
  }

  /**
   * Durable, and in every process from its next transaction on: one that waits for its customer goes on waiting.
   * @throws SandboxRefusal `UnknownMode`, `UnknownCard`; nothing changes then.
   */
  set(id: string, settings: { readonly mode: string; readonly card: string | null }): SimulatedTerminal {
    const { mode, card } = settings;
    if (!isMode(mode)) {
      throw new TerminalControlError('UnknownMode', `mode is one of ${TERMINAL_MODES.join(', ')}`);
    }
    const stored = card === null ? null : storedTerminalCard(card);
    this.database.transaction(() => this.writeSettings.run(id, mode, stored));
    return this.get(id);
  }

  state(id: string): TerminalState {
    const row = this.readRow.get(id);
    return {
      mode: row?.mode ?? 'Auto',
      card: terminalCard(row?.card ? terminalCardName(row.card) : DEFAULT_TERMINAL_CARD),
      busyKey: row?.busy_key ?? null,
      busyUntil: row?.busy_until ?? 0,
    };
  }

  /** Inside a transaction of the ledger. */
  occupy(id: string, key: string, until: number): void {
    this.writeBusy.run(id, key, until);
  }
}

/** What of these settings `Terminals.set` would refuse, all of it, and what it takes instead. Follows from the tables alone. */
export function invalidSettingFields({
  mode,
  card,
}: {
  readonly mode: string;
  readonly card: string | null;
}): readonly { readonly field: 'mode' | 'card'; readonly allowed: string }[] {
  return [
    ...(isMode(mode) ? [] : [{ field: 'mode', allowed: `one of ${TERMINAL_MODES.join(', ')}` } as const]),
    ...(card === null || isTerminalCard(card) ? [] : [{ field: 'card', allowed: TAKEN_CARDS } as const]),
  ];
}

/** The service's name for what a key is a try of: `<trx id>.<try>`. */
export function transactionId(key: string): string {
  const end = key.indexOf('.');
  return end < 0 ? key : key.slice(0, end);
}

/** Whether a terminal ends a request before anybody is asked, and so before anything can be charged. */
export function terminalEnd(
  terminal: TerminalState,
  key: string,
  now: number,
  waitingKey: string | undefined,
): { readonly resultCode: ResultCode; readonly afterMs: number } | undefined {
  if (terminal.mode === 'Offline') return { resultCode: 1003, afterMs: OFFLINE_AFTER_MS };
  if (terminal.mode === 'LowBattery') return { resultCode: 3006, afterMs: 0 };
  const silent = terminal.busyUntil > now && terminal.busyKey !== key;
  const waits = waitingKey !== undefined && waitingKey !== key;
  return silent || waits ? { resultCode: 1003, afterMs: 0 } : undefined;
}

function isMode(mode: string): mode is TerminalMode {
  return (TERMINAL_MODES as readonly string[]).includes(mode);
}
