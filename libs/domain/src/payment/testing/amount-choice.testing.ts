import type { Cents } from '../../shared/money.js';
import type { AmountChoice } from './operation-arbitraries.testing.js';

/** The amount for a choice. The choices are the edges of the rules of money. */
export function chosenAmount(
  choice: AmountChoice,
  { open, held, all }: { readonly open: Cents; readonly held: Cents; readonly all: Cents },
): Cents | undefined {
  switch (choice) {
    case 'omitted':
      return undefined;
    case 'zero':
      return 0;
    case 'negative':
      return -1;
    case 'one':
      return 1;
    case 'half':
      return Math.ceil(open / 2);
    case 'open':
      return open;
    case 'aboveOpen':
      return open + 1;
    case 'openAndHeld':
      return open + held;
    case 'aboveOpenAndHeld':
      return open + held + 1;
    case 'all':
      return all;
    case 'aboveAll':
      return all + 1;
    case 'greatest':
      return 999_999_999;
    case 'tooGreat':
      return 1_000_000_000;
  }
}

/** Makes every change of the value throw. */
export function deepFreeze<Value>(value: Value): Value {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    Object.values(value).forEach(deepFreeze);
  }
  return value;
}
