import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Language } from './language.js';
import type { Texts } from './texts.js';
import { english } from './texts.en.js';

export interface Speech {
  readonly language: Language;
  /** For amounts, dates and names: `fr-CA`. */
  readonly locale: string;
  readonly texts: Texts;
}

export const LanguageContext = createContext<Speech>({ language: 'en', locale: 'en-CA', texts: english });

export const useSpeech = (): Speech => useContext(LanguageContext);
