import type { VNode } from 'preact';
import { useSpeech } from '../language/language.context.js';
import type { FieldName } from './form.values.js';
import { TextField } from './text.field.js';

export function ContactFields({ fields }: { readonly fields: readonly FieldName[] }): VNode {
  const { field: texts } = useSpeech().texts;
  return (
    <>
      {fields.includes('email') && (
        <TextField
          field="email"
          label={texts.email}
          autocomplete="email"
          inputMode="email"
          autocapitalize="none"
          maxLength={254}
        />
      )}
      {fields.includes('phone') && (
        <TextField field="phone" label={texts.phone} autocomplete="tel" inputMode="tel" maxLength={40} />
      )}
    </>
  );
}
