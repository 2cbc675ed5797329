import { scrub } from '@tillstream/platform';
import { InvalidArgumentError } from 'commander';

const CONTROL = /\p{Cc}/u;

/**
 * Parses an option whose text is stored in events for good. The parser throws for what looks like a card number or a key.
 *
 * @param charactersMax Unicode code points
 */
export function storedText(charactersMax: number): (text: string) => string {
  return (text) => {
    const length = [...text].length;
    if (length < 1 || length > charactersMax || CONTROL.test(text)) {
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
