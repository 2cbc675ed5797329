import type { Language } from './language.js';
import { english, type Texts } from './texts.en.js';
import { french } from './texts.fr.js';

export type { Texts } from './texts.en.js';

export const TEXTS: Readonly<Record<Language, Texts>> = { en: english, fr: french };
