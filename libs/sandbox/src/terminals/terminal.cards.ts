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

/* Cards as customers bring them to terminals: by a number of the table, or by a name. */

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

/** What files keep: a name, or what stands for the number. @throws SandboxRefusal `UnknownCard`. */
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

/** The number or name that was stored so. */
export function terminalCardName(stored: string): string {
  return cardById(stored)?.number ?? stored;
}

/** The card behind a number or a name. */
export function terminalCard(given: string): SandboxCard {
  const known = isNamedCard(given) ? NAMED[given] : cardByNumber(given);
  if (!known) throw new Error('sandbox terminal: its card is in no table');
  return known;
}

/** A card that can be chosen for a terminal. */
export interface TerminalCardChoice {
  /** What a setting or a customer names it by. */
  readonly value: string;
  readonly card: SandboxCard;
  /** Once it is inserted. */
  readonly asksForPin: boolean;
}

/** Debit cards; others take a PIN, and go without. */
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
