import type { Statement } from 'better-sqlite3';
import type { Cents, Currency, ResultCode } from '@tillstream/domain';
import { DEFAULT_TERMINAL_CARD, type SandboxCard } from '../acquirer/cards.table.js';
import type { SandboxDatabase } from '../ledger/sandbox.database.js';
import { TerminalControlError } from '../sandbox.errors.js';
import type { SandboxTimes } from '../sandbox.parts.js';
import {
  terminalCardName,
  isTerminalCard,
  storedTerminalCard,
  TAKEN_CARDS,
  terminalCard,
} from './terminal.cards.js';

/**
 * `Auto` responds by the tables, `Manual` waits for the customer, `Offline` ends with 1003 after 2 s, `LowBattery` ends with
 * 3006, `LostLink` charges and loses the response.
 */
export const TERMINAL_MODES = ['Auto', 'Manual', 'Offline', 'LowBattery', 'LostLink'] as const;
export type TerminalMode = (typeof TERMINAL_MODES)[number];

/** Settings before their check. */
export interface GivenSettings {
  readonly mode: string;
  /** A number of the table, a name, or null for the default card. */
  readonly card: string | null;
}

export interface SimulatedTerminal extends GivenSettings {
  /** The id of the payment method. */
  readonly id: string;
  readonly mode: TerminalMode;
  /** The transaction that waits for its customer; the amount of a verification is 0. */
  readonly waiting: {
    readonly transactionId: string;
    readonly amount: Cents;
    readonly currency: Currency;
  } | null;
}

export interface TerminalState {
  readonly mode: TerminalMode;
  readonly card: SandboxCard;
  readonly busyKey: string | null;
  /** Real time, ms. After a killed process the terminal is free again when its transaction would have ended. */
  readonly busyUntil: number;
}

type Row = Omit<TerminalState, 'card'> & { readonly card: string | null };

const NEW_TERMINAL: Row = { mode: 'Auto', card: null, busyKey: null, busyUntil: 0 };

const OFFLINE_AFTER_MS = 2_000;
/** Only in these steps the terminal waits for its customer. */
const WAITING = `
  SELECT visit.key, operation.amount, operation.currency
  FROM visit JOIN operation ON operation.key = visit.key
  WHERE visit.terminal = ? AND visit.step IN ('Card', 'Pin') AND visit.until > ? AND operation.state = 'Waiting'`;

/** Settings and busy state of simulated terminals, one per payment method; any id is a terminal in `Auto`. */
export class Terminals {
  private readonly readRow: Statement<[string], Row>;
  private readonly readWaiting: Statement<
    [string, number],
    { key: string; amount: Cents; currency: Currency }
  >;
  private readonly writeSettings: Statement<[string, TerminalMode, string | null]>;
  private readonly writeBusy: Statement<[string, string, number]>;

  constructor(
    private readonly database: SandboxDatabase,
    private readonly times: Pick<SandboxTimes, 'serviceNow'>,
  ) {
    this.readRow = database.sqlite.prepare(
      'SELECT mode, card, busy_key AS busyKey, busy_until AS busyUntil FROM terminal WHERE id = ?',
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
    const { mode, card } = this.readRow.get(id) ?? NEW_TERMINAL;
    const waiting = this.readWaiting.get(id, this.times.serviceNow());
    return {
      id,
      mode,
      card: card === null ? null : terminalCardName(card),
      waiting: waiting
        ? { transactionId: transactionId(waiting.key), amount: waiting.amount, currency: waiting.currency }
        : null,
    };
  }

  /**
   * Stores the settings. They apply from the terminal's next transaction on.
   * @throws TerminalControlError `UnknownMode`, `UnknownCard`
   */
  set(id: string, { mode, card }: GivenSettings): SimulatedTerminal {
    if (!isMode(mode)) {
      throw new TerminalControlError('UnknownMode', `mode is one of ${TERMINAL_MODES.join(', ')}`);
    }
    const stored = card === null ? null : storedTerminalCard(card);
    this.database.transaction(() => this.writeSettings.run(id, mode, stored));
    return this.get(id);
  }

  state(id: string): TerminalState {
    const { mode, card, busyKey, busyUntil } = this.readRow.get(id) ?? NEW_TERMINAL;
    const number = card === null ? DEFAULT_TERMINAL_CARD : terminalCardName(card);
    return { mode, card: terminalCard(number), busyKey, busyUntil };
  }

  /** Inside a transaction of the ledger. */
  occupy(id: string, key: string, until: number): void {
    this.writeBusy.run(id, key, until);
  }
}

/** The fields that `Terminals.set` refuses, with their allowed values. */
export function invalidSettingFields({ mode, card }: GivenSettings) {
  const checks = [
    { field: 'mode', allowed: `one of ${TERMINAL_MODES.join(', ')}`, valid: isMode(mode) },
    { field: 'card', allowed: TAKEN_CARDS, valid: card === null || isTerminalCard(card) },
  ] as const;
  return checks.filter(({ valid }) => !valid);
}

/** The transaction id of a key `<trx id>.<try>`. */
export function transactionId(key: string): string {
  return key.split('.', 1)[0] ?? key;
}

/** Decides whether the terminal ends a request before it reaches the issuer: then nothing is charged. */
export function terminalEnd(
  terminal: TerminalState,
  key: string,
  now: number,
  waitingKey: string | undefined,
): { readonly resultCode: ResultCode; readonly afterMs: number } | undefined {
  if (terminal.mode === 'Offline') return { resultCode: 1003, afterMs: OFFLINE_AFTER_MS };
  if (terminal.mode === 'LowBattery') return { resultCode: 3006, afterMs: 0 };
  const isBusy = terminal.busyUntil > now && terminal.busyKey !== key;
  const isWaiting = waitingKey !== undefined && waitingKey !== key;
  return isBusy || isWaiting ? { resultCode: 1003, afterMs: 0 } : undefined;
}

function isMode(mode: string): mode is TerminalMode {
  return (TERMINAL_MODES as readonly string[]).includes(mode);
}
