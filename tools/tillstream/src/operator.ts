import type { Actor } from '@tillstream/payments';
import { Option } from 'commander';
import type { CommandContext } from './command.types.js';
import { storedText } from './stored.text.js';

const NAME_CHARACTERS_MAX = 100;

/** Who is recorded for a change (`docs/spec/operators.md#actor`). */
export const actorOption = new Option(
  '--actor <name>',
  'who is recorded for this; left out: the user of the operating system',
).argParser(storedText(NAME_CHARACTERS_MAX));

export function operator(name: string | undefined, { user }: CommandContext): Actor {
  return { type: 'Operator', name: name ?? user };
}
