import {
  cardById,
  cardByNumber,
  cardId,
  CARDS,
  isNamedCard,
  NAMED_CARDS,
  type NamedCard,
  type SandboxCard,
} from '../acquirer/cards.table.js';
import { TerminalControlError } from '../sandbox.errors.js';

/* Cards at terminals have a number of the table or a name. */

export const TAKEN_CARDS = `a number of the sandbox that terminals take, or one of ${NAMED_CARDS.join(', ')}`;

export function isTerminalCard(card: string): boolean {
  if (isNamedCard(card)) return true;
  const known = cardByNumber(card);
  return known !== undefined && known.only !== 'Form';
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

/**
 * The name or the id of a card, for files.
 * @throws TerminalControlError `UnknownCard`
 */
export function storedTerminalCard(card: string): string {
  if (isNamedCard(card)) return card;
  const known = cardByNumber(card);
  if (!known || !isTerminalCard(card)) {
    throw new TerminalControlError(
      'UnknownCard',
      'card is a number of the sandbox that terminals take, or a name',
    );
  }
  return cardId(known);
}

/** The number or name of a stored card. */
export function terminalCardName(stored: string): string {
  return cardById(stored)?.number ?? stored;
}

export function terminalCard(numberOrName: string): SandboxCard {
  const known = isNamedCard(numberOrName) ? NAMED[numberOrName] : cardByNumber(numberOrName);
  if (!known) throw new Error('sandbox terminal: its card is in no table');
  return known;
}

/** A card that can be chosen for a terminal. */
export interface TerminalCardChoice {
  /** Its number or name. */
  readonly value: string;
  readonly card: SandboxCard;
  /** When the card is inserted. */
  readonly asksForPin: boolean;
}

/** Debit cards need a PIN. For other cards it is optional. */
export function asksForPin({ funding }: SandboxCard): boolean {
  return funding === 'Debit';
}

/** In the order of the table, the names last. */
export const TERMINAL_CARDS: readonly TerminalCardChoice[] = [
  ...CARDS.map(({ number }) => number).filter(isTerminalCard),
  ...NAMED_CARDS,
].map((value) => {
  const card = terminalCard(value);
  return { value, card, asksForPin: asksForPin(card) };
});
