import { isMerchantId } from '@tillstream/domain';
import type { Actor } from '@tillstream/payments';
import { scrub } from '@tillstream/platform';
import { InvalidArgumentError, Option } from 'commander';
import type { CommandContext } from './command.types.js';

/* Options and their parsers that several commands have. A parser throws for a text that is not allowed. */

export const NAME_CHARACTERS_MAX = 100;
export const REASON_CHARACTERS_MAX = 500;

/** Who is recorded for a change (`docs/spec/operators.md#actor`). */
export const actorOption = new Option(
  '--actor <name>',
  'who is recorded for this; left out: the user of the operating system',
).argParser(storedText(NAME_CHARACTERS_MAX));

export function operator(name: string | undefined, { user }: CommandContext): Actor {
  return { type: 'Operator', name: name ?? user };
}

export function merchantId(text: string): string {
  if (isMerchantId(text)) return text;
  throw new InvalidArgumentError('That is no id of a merchant; allowed is mer_ and 26 characters.');
}

/**
 * Parses an option whose text is stored in events for good. The parser throws for what looks like a card number or a key.
 * @param charactersMax Unicode code points
 */
export function storedText(charactersMax: number): (text: string) => string {
  return (text) => {
    const length = [...text].length;
    if (length < 1 || length > charactersMax || /\p{Cc}/u.test(text)) {
      throw new InvalidArgumentError(
        `It must have 1 to ${charactersMax} characters, none of them a control character.`,
      );
    }
    if (scrub(text, text.length) !== text) {
      throw new InvalidArgumentError(
        'It has something in it that looks like a card number or a key; write it without, as it is kept for good.',
      );
    }
    return text;
  };
}

/** Real time, ms since 1970. */
export function time(text: string): number {
  const at = Date.parse(text);
  if (at >= 0) return at;
  throw new InvalidArgumentError('That is no time; allowed is RFC 3339, such as 2026-11-26T00:00:00Z.');
}
