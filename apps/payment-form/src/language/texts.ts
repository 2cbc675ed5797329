import type { FormSession } from '@tillstream/contracts';
import type { Language } from './language.js';
import { englishOfBanks } from './texts.bank.en.js';
import { frenchOfBanks } from './texts.bank.fr.js';
import { english, type Texts } from './texts.en.js';
import { french } from './texts.fr.js';

export type { Texts } from './texts.en.js';

const CARDS: Readonly<Record<Language, Texts>> = { en: english, fr: french };
const BANKS: Readonly<Record<Language, Texts>> = { en: englishOfBanks, fr: frenchOfBanks };

export function textsFor(language: Language, type: FormSession['paymentMethodType']): Texts {
  return (type === 'Virtual' ? CARDS : BANKS)[language];
}
