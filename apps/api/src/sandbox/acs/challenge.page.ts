import { readFileSync } from 'node:fs';
import type { Challenge } from '@tillstream/platform';
import { TEXTS, type Language } from './challenge.texts.js';

/** This path is valid from `src/` and from `dist/`. The folder holds nothing but the files of the page. */
export const ACS_FILES = new URL('../../../assets/acs/', import.meta.url);

const LOCALES: Readonly<Record<Language, string>> = { en: 'en-CA', fr: 'fr-CA' };
const SLOT = /\{\{(\w+)\}\}/g;
const LAST_DIGITS = 4;
const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Read at the first request. */
let template: string | undefined;

/** The HTML page of a challenge. Every value in it is escaped. */
export function challengePage(challenge: Challenge, language: Language): string {
  template ??= readFileSync(new URL('challenge.html', ACS_FILES), 'utf8');
  const slots: Readonly<Record<string, string>> = {
    ...TEXTS[language],
    ...shownPurpose(challenge, language),
    language,
    merchant: challenge.merchantName,
    lastDigits: challenge.maskedCardNumber.slice(-LAST_DIGITS),
    view: challenge.state === 'Open' ? 'Open' : 'Over',
  };
  return template.replace(SLOT, (_slot, name: string) => escapeHtml(slots[name] ?? ''));
}

/** A card that is only stored has no amount. */
function shownPurpose({ amount, currency }: Challenge, language: Language) {
  const { amountLabel, purposeLabel, purpose } = TEXTS[language];
  if (amount === 0) return { purposeLabel, purpose };
  const style = { style: 'currency', currency, currencyDisplay: 'narrowSymbol' } as const;
  const text = new Intl.NumberFormat(LOCALES[language], style).format(amount / 100);
  return { purposeLabel: amountLabel, purpose: `${text} ${currency}` };
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ESCAPES[character] ?? '');
}
