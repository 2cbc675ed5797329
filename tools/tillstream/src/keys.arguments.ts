import { isMerchantId } from '@tillstream/domain';
import type { Actor } from '@tillstream/payments';
import { namedWords, readArguments, shown, storedText } from './arguments.js';
import { WrongUse, type World } from './command.types.js';
import { hintFor } from './nearest.word.js';
import { operatorOf } from './operator.js';

const ACTIONS = ['list', 'issue', 'rotate', 'revoke'] as const;
type Action = (typeof ACTIONS)[number];
const LONGEST_NAME = 100;
const LONGEST_REASON = 500;

export const KEYS_HELP = `Keys of operators, and of merchants. A new key works at once; a revoked one stops within 2 s on every instance.

Usage: npm run --silent tillstream -- keys list [--all]
       npm run --silent tillstream -- keys issue --name NAME
       npm run --silent tillstream -- keys rotate NAME|ID
       npm run --silent tillstream -- keys revoke NAME|ID [--reason TEXT]
       npm run --silent tillstream -- keys list --merchant mer_… [--all]
       npm run --silent tillstream -- keys issue --merchant mer_… --name NAME [--read-only]
       npm run --silent tillstream -- keys revoke --merchant mer_… key_…

  --all            revoked ones too
  --merchant ID    keys of this merchant; left out: operators' keys
  --actor NAME     whom the change is recorded for; left out: the user of the operating system
  --json           for a script: a list is { "data": […] }, a new key { "id", "name", "key", … }

A new key is printed once: the store has its hash only. rotate makes another key of the same name and revokes the old one.
The key of the sandbox's demo, where it is rotated, is written to sandbox.json in DATA_DIR, which names it; where it is
revoked, the next start makes another one and writes it there.`;

const OPTIONS = {
  all: 'flag',
  merchant: 'text',
  name: 'text',
  'read-only': 'flag',
  reason: 'text',
  actor: 'text',
  json: 'flag',
} as const;
type OptionName = keyof typeof OPTIONS;

/** Options that mean something: for operators' keys, and for a merchant's. */
const FITTING: Readonly<
  Record<Action, readonly [operators: readonly OptionName[], merchants: readonly OptionName[]]>
> = {
  list: [['all'], ['all', 'merchant']],
  issue: [
    ['name', 'actor'],
    ['name', 'read-only', 'actor', 'merchant'],
  ],
  rotate: [['actor'], []],
  revoke: [
    ['reason', 'actor'],
    ['actor', 'merchant'],
  ],
};

/** What was typed, checked as far as it can be without a store. */
export interface KeysAsked {
  readonly action: Action;
  /** Whose keys; left out: operators'. */
  readonly merchantId?: string;
  /** An id, or an operator key's name; empty where the action takes none. */
  readonly key: string;
  readonly name: string;
  readonly reason?: string;
  readonly readOnly: boolean;
  /** Revoked ones too. */
  readonly all: boolean;
  readonly json: boolean;
  readonly operator: Actor;
}

/** @throws WrongUse */
export function parseKeys(args: readonly string[], world: World): KeysAsked {
  const { words, options } = readArguments(args, OPTIONS);
  const [typed, ...more] = words;
  if (typed === undefined) throw new WrongUse(`What to do with keys is missing; ${hintFor(typed, ACTIONS)}`);
  const action = ACTIONS.find((one) => one === typed);
  if (!action) throw new WrongUse(`keys has no "${shown(typed)}"; ${hintFor(typed, ACTIONS)}`);
  const { merchant } = options;
  if (merchant !== undefined && action === 'rotate') {
    throw new WrongUse(
      'rotate takes no --merchant: issue another key of the merchant, and revoke the old one after.',
    );
  }
  const fitting = [...FITTING[action][merchant === undefined ? 0 : 1], 'json'];
  const unfit = Object.keys(options).find((name) => !fitting.includes(name));
  if (unfit !== undefined) {
    const why = unfit === 'read-only' ? 'needs --merchant' : `means nothing to keys ${action}`;
    throw new WrongUse(`--${unfit} ${why}.`);
  }
  if (merchant !== undefined && !isMerchantId(merchant)) {
    throw new WrongUse('--merchant is no id of a merchant; allowed is mer_ and 26 characters.');
  }
  if (action === 'issue' && options.name === undefined)
    throw new WrongUse('--name is missing; a key has a name.');
  const takesKey = action === 'rotate' || action === 'revoke';
  const [key = ''] = namedWords(more, takesKey ? [merchant === undefined ? 'NAME|ID' : 'key_…'] : []);
  const { name, reason } = options;
  return {
    action,
    ...(merchant !== undefined && { merchantId: merchant }),
    key,
    name: name === undefined ? '' : storedText('--name', name, LONGEST_NAME),
    ...(reason !== undefined && { reason: storedText('--reason', reason, LONGEST_REASON) }),
    readOnly: options['read-only'] === true,
    all: options.all === true,
    json: options.json === true,
    operator: operatorOf(options.actor, world),
  };
}
