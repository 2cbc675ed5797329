import { CARDS, CARDS_BY_ID, cardId, type SandboxCard } from '../acquirer/cards.table.js';
import { TerminalControlError } from '../sandbox.errors.js';

/* Terminals take a card by its number in the table, or by a name. */

const named = (type: SandboxCard['type'], lastFour: string, funding?: 'Debit'): SandboxCard => ({
  number: `000000000000${lastFour}`,
  type,
  unstorable: true,
  ...(funding && { funding }),
});
/** By its name a terminal takes a card of that type, whose number is in no table. */
const NAMED_CARDS: readonly SandboxCard[] = [
  named('GIFT', '0001'),
  named('CASH', '0000'),
  named('EBT', '0002', 'Debit'),
  named('DEBIT', '0003', 'Debit'),
  named('OTHER', '0004'),
  named('UNKNOWN', '0005'),
];
const CARD_NAMES = NAMED_CARDS.map(({ type }) => type);

export const TAKEN_CARDS = `a number of the sandbox that terminals take, or one of ${CARD_NAMES.join(', ')}`;

/** By number or name, in the order of the table, the names last. */
const CARDS_OF_TERMINALS: ReadonlyMap<string, SandboxCard> = new Map([
  ...CARDS.filter(({ only }) => only !== 'Form').map((card) => [card.number, card] as const),
  ...NAMED_CARDS.map((card) => [card.type, card] as const),
]);

export function isTerminalCard(numberOrName: string): boolean {
  return CARDS_OF_TERMINALS.has(numberOrName);
}

/**
 * The name or the id of a card, for files.
 * @throws TerminalControlError `UnknownCard`
 */
export function storedTerminalCard(numberOrName: string): string {
  const card = CARDS_OF_TERMINALS.get(numberOrName);
  if (card) return card.type === numberOrName ? numberOrName : cardId(card);
  throw new TerminalControlError(
    'UnknownCard',
    'card is a number of the sandbox that terminals take, or a name',
  );
}

/** The number or name of a stored card. */
export function terminalCardName(stored: string): string {
  return CARDS_BY_ID.get(stored)?.number ?? stored;
}

export function terminalCard(numberOrName: string): SandboxCard {
  const card = CARDS_OF_TERMINALS.get(numberOrName);
  if (!card) throw new Error('sandbox terminal: its card is in no table');
  return card;
}

/** Debit cards need a PIN. For other cards it is optional. */
export function asksForPin({ funding }: SandboxCard): boolean {
  return funding === 'Debit';
}

/** The cards that can be chosen for a terminal. `value`: the number or name; `asksForPin`: when the card is inserted. */
export const TERMINAL_CARDS = [...CARDS_OF_TERMINALS].map(([value, card]) => ({
  value,
  card,
  asksForPin: asksForPin(card),
}));
