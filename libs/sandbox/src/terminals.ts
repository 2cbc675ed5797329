import type { Statement } from 'better-sqlite3';
import type { Cents, Currency, ResultCode } from '@tillstream/domain';
import {
  cardById,
  cardByNumber,
  cardId,
  DEFAULT_TERMINAL_CARD,
  isNamedCard,
  NAMED_CARDS,
  type NamedCard,
  type SandboxCard,
} from './cards.table.js';
import type { SandboxDatabase } from './sandbox.database.js';
import { SandboxRefusal } from './sandbox.errors.js';

/** `Auto` answers by the tables, `Offline` with 1003 after 2 s, `LowBattery` with 3006, `LostLink` charges and can't say so. */
export const TERMINAL_MODES = ['Auto', 'Offline', 'LowBattery', 'LostLink'] as const;
export type TerminalMode = (typeof TERMINAL_MODES)[number];

export interface TerminalSettings {
  readonly mode: TerminalMode;
  /** A number of the table, a name, or null for the default card. */
  readonly card: string | null;
}

export interface SimulatedTerminal extends TerminalSettings {
  /** The payment method's. */
  readonly id: string;
  /** A transaction that waits for a customer. */
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

interface Row {
  mode: TerminalMode;
  card: string | null;
  busy_key: string | null;
  busy_until: number;
}

const OFFLINE_AFTER_MS = 2_000;

/** Settings and busy state of simulated terminals, one per payment method; any id is a terminal in `Auto`. */
export class Terminals {
  private readonly readRow: Statement<[string], Row>;
  private readonly writeSettings: Statement<[string, TerminalMode, string | null]>;
  private readonly writeBusy: Statement<[string, string, number]>;

  constructor(private readonly database: SandboxDatabase) {
    this.readRow = database.sqlite.prepare(
      'SELECT mode, card, busy_key, busy_until FROM terminal WHERE id = ?',
    );
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
    const card = row?.card ? cardOf(row.card) : null;
    return { id, mode: row?.mode ?? 'Auto', card, waiting: null };
  }

  /** What of these settings `set` would refuse, all of it, and what it takes instead. */
  refused(settings: {
    readonly mode: string;
    readonly card: string | null;
  }): readonly { readonly field: 'mode' | 'card'; readonly allowed: string }[] {
    const { mode, card } = settings;
    return [
      ...(isMode(mode) ? [] : [{ field: 'mode', allowed: `one of ${TERMINAL_MODES.join(', ')}` } as const]),
      ...(card === null || isTerminalCard(card) ? [] : [{ field: 'card', allowed: TAKEN_CARDS } as const]),
    ];
  }

  /**
   * Durable, and in every process from its next transaction on.
   * @throws SandboxRefusal `UnknownMode`, `ModeNotSupported` (Manual, as yet), `UnknownCard`; nothing changes then.
   */
  set(id: string, settings: { readonly mode: string; readonly card: string | null }): SimulatedTerminal {
    const { mode, card } = settings;
    if (mode === 'Manual') throw new SandboxRefusal('ModeNotSupported', 'terminals have no Manual mode yet');
    if (!isMode(mode)) {
      throw new SandboxRefusal('UnknownMode', `mode is one of ${TERMINAL_MODES.join(', ')}`);
    }
    const stored = card === null ? null : storedId(card);
    this.database.transaction(() => this.writeSettings.run(id, mode, stored));
    return this.get(id);
  }

  /** Inside a transaction of the ledger. */
  state(id: string): TerminalState {
    const row = this.readRow.get(id);
    return {
      mode: row?.mode ?? 'Auto',
      card: terminalCard(row?.card ? cardOf(row.card) : DEFAULT_TERMINAL_CARD),
      busyKey: row?.busy_key ?? null,
      busyUntil: row?.busy_until ?? 0,
    };
  }

  /** Inside a transaction of the ledger. */
  occupy(id: string, key: string, until: number): void {
    this.writeBusy.run(id, key, until);
  }
}

/** Whether a terminal ends a request before anybody is asked, and so before anything can be charged. */
export function terminalEnd(
  terminal: TerminalState,
  key: string,
  now: number,
): { readonly resultCode: ResultCode; readonly afterMs: number } | undefined {
  if (terminal.mode === 'Offline') return { resultCode: 1003, afterMs: OFFLINE_AFTER_MS };
  if (terminal.mode === 'LowBattery') return { resultCode: 3006, afterMs: 0 };
  const busy = terminal.busyUntil > now && terminal.busyKey !== key;
  return busy ? { resultCode: 1003, afterMs: 0 } : undefined;
}

function isMode(mode: string): mode is TerminalMode {
  return (TERMINAL_MODES as readonly string[]).includes(mode);
}

const TAKEN_CARDS = `a number of the sandbox that terminals take, or one of ${NAMED_CARDS.join(', ')}`;

function isTerminalCard(card: string): boolean {
  if (isNamedCard(card)) return true;
  const known = cardByNumber(card);
  return known !== undefined && known.only !== 'Form';
}

/** What is stored for a card: a name, or what stands for its number. */
function storedId(card: string): string {
  if (isNamedCard(card)) return card;
  const known = cardByNumber(card);
  if (!known || !isTerminalCard(card)) {
    throw new SandboxRefusal('UnknownCard', 'card is a number of the sandbox that terminals take, or a name');
  }
  return cardId(known);
}

function cardOf(id: string): string {
  return cardById(id)?.number ?? id;
}

function terminalCard(card: string): SandboxCard {
  const known = isNamedCard(card) ? NAMED[card] : cardByNumber(card);
  if (!known) throw new Error('sandbox terminal: its card is in no table');
  return known;
}

const named = (type: NamedCard, lastFour: string, funding?: 'Debit'): SandboxCard => ({
  number: `000000000000${lastFour}`,
  type,
  unstorable: true,
  ...(funding && { funding }),
});
const NAMED: Record<NamedCard, SandboxCard> = {
  GIFT: named('GIFT', '0001'),
  CASH: named('CASH', '0000'),
  EBT: named('EBT', '0002', 'Debit'),
  DEBIT: named('DEBIT', '0003', 'Debit'),
  OTHER: named('OTHER', '0004'),
  UNKNOWN: named('UNKNOWN', '0005'),
};
