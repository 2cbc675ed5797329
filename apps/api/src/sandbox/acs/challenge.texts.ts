import { english } from './challenge.texts.en.js';
import { french } from './challenge.texts.fr.js';

/** Each key is a slot of `assets/acs/challenge.html`. */
export type ChallengeTexts = Readonly<Record<keyof typeof english, string>>;

export const LANGUAGES = ['en', 'fr'] as const;
export type Language = (typeof LANGUAGES)[number];

export const TEXTS: Readonly<Record<Language, ChallengeTexts>> = { en: english, fr: french };
