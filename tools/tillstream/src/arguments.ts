import { scrub } from '@tillstream/platform';
import { parseArgs } from 'node:util';
import { WrongUse } from './command.types.js';

type Kinds = Readonly<Record<string, 'text' | 'flag'>>;

export interface Arguments<Options extends Kinds> {
  readonly words: readonly string[];
  readonly options: {
    readonly [Name in keyof Options]?: Options[Name] extends 'flag' ? true : string;
  };
}

/** Splits what was typed. @throws WrongUse for an option that is unknown, given twice, or without its value. */
export function readArguments<const Options extends Kinds>(
  args: readonly string[],
  kinds: Options,
): Arguments<Options> {
  const { tokens } = parseArgs({
    args: [...args],
    options: Object.fromEntries(
      Object.entries(kinds).map(([name, kind]) => [name, { type: kind === 'text' ? 'string' : 'boolean' }]),
    ) as Record<string, { type: 'string' | 'boolean' }>,
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  const words: string[] = [];
  const options = new Map<string, string | true>();
  for (const token of tokens) {
    if (token.kind === 'positional') words.push(token.value);
    if (token.kind !== 'option') continue;
    const { name, rawName, value, inlineValue } = token;
    const kind = Object.hasOwn(kinds, name) ? kinds[name] : undefined;
    if (kind === undefined) throw new WrongUse(`${shown(rawName)} is no option here; ${allowed(kinds)}.`);
    if (options.has(name)) throw new WrongUse(`${rawName} is given twice; once is allowed.`);
    if (kind === 'flag') {
      if (inlineValue === true) throw new WrongUse(`${rawName} takes no value.`);
      options.set(name, true);
      continue;
    }
    if (value === undefined || (inlineValue === false && value.startsWith('-'))) {
      throw new WrongUse(`${rawName} needs a value; one that begins with a dash is given as ${rawName}=….`);
    }
    options.set(name, value);
  }
  return { words, options: Object.fromEntries(options) as Arguments<Options>['options'] };
}

/** The words after the command's own, as many as have names. @throws WrongUse */
export function namedWords(words: readonly string[], names: readonly string[]): readonly string[] {
  const missing = names[words.length];
  if (missing !== undefined) throw new WrongUse(`${missing} is missing.`);
  if (words.length > names.length) {
    const last = names.at(-1);
    throw new WrongUse(
      last === undefined ? 'Nothing more is allowed here than options.' : `Nothing is allowed after ${last}.`,
    );
  }
  return words;
}

const CONTROL = /\p{Cc}/u;

/**
 * A text that will stand in history for good. What looks like a card number or a key is refused there, and nobody's
 * message repeats it. @throws WrongUse
 */
export function storedText(option: string, text: string, most: number): string {
  const length = [...text].length;
  if (length < 1 || length > most || CONTROL.test(text)) {
    throw new WrongUse(`${option} must have 1 to ${most} characters, none of them a control character.`);
  }
  if (scrub(text, text.length) !== text) {
    throw new WrongUse(
      `${option} has something in it that looks like a card number or a key; write it without, as it is kept for good.`,
    );
  }
  return text;
}

/** What was typed, for a message: whoever pasted a card number or a key does not find it in a log. */
export function shown(typed: string): string {
  return scrub(typed, 60);
}

function allowed(kinds: Kinds): string {
  const names = Object.entries(kinds).map(([name, kind]) => (kind === 'text' ? `--${name} …` : `--${name}`));
  return names.length === 0 ? 'it takes none' : `allowed are ${names.join(', ')} and --help`;
}
