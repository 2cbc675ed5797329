import type { VNode } from 'preact';
import { useSpeech } from '../language/language.context.js';
import { LANGUAGES, type Language } from '../language/language.js';

const NAMES: Readonly<Record<Language, string>> = { en: 'English', fr: 'Français' };

export function LanguageSwitch({ onChange }: { readonly onChange: (language: Language) => void }): VNode {
  const { language, texts } = useSpeech();
  return (
    <div class="languages" role="group" aria-label={texts.language}>
      {LANGUAGES.map((one) => (
        <button
          type="button"
          key={one}
          lang={one}
          aria-label={`${one.toUpperCase()} ${NAMES[one]}`}
          aria-pressed={one === language}
          onClick={() => onChange(one)}
        >
          {one.toUpperCase()}
        </button>
      ))}
    </div>
  );
}
