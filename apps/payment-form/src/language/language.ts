export const LANGUAGES = ['en', 'fr'] as const;
export type Language = (typeof LANGUAGES)[number];

/** The first tag that is a language of this page: `?lang=`, then those of the browser, then the merchant's. */
export function chooseLanguage(tags: readonly (string | null | undefined)[]): Language {
  for (const tag of tags) {
    const language = LANGUAGES.find((one) => one === tag?.toLowerCase().split('-')[0]);
    if (language) return language;
  }
  return 'en';
}

/** For amounts and names. The merchant's English may be American or Canadian. */
export function localeOf(language: Language, merchantLocale: string): string {
  if (language === 'fr') return 'fr-CA';
  return merchantLocale.startsWith('en-') ? merchantLocale : 'en-CA';
}
