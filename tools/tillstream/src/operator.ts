import type { Actor } from '@tillstream/payments';
import { storedText } from './arguments.js';
import type { World } from './command.types.js';

const MOST_CHARACTERS = 100;

/**
 * Whom a change is recorded for: `--actor`, else the user of the operating system (`docs/spec/operators.md#actor`).
 * @throws WrongUse
 */
export function operatorOf(actor: string | undefined, { user }: World): Actor {
  const name = actor === undefined ? user : storedText('--actor', actor, MOST_CHARACTERS);
  return { type: 'Operator', name };
}
