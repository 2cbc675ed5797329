import type { VNode } from 'preact';
import { brandOf } from '../card/card.brand.js';
import { formatCardNumber } from '../card/card.number.js';
import { formatExpiry } from '../card/expiry.js';
import { digitsIn, digitsUpTo } from '../card/typed.text.js';
import { useSpeech } from '../language/language.context.js';
import { BrandBadge } from './brand.badge.js';
import { useFields } from './fields.context.js';
import type { FieldName } from './form.values.js';
import { TextField } from './text.field.js';

export function CardFields({ fields }: { readonly fields: readonly FieldName[] }): VNode {
  const { field: texts } = useSpeech().texts;
  const brand = brandOf(digitsIn(useFields().values.number));
  return (
    <>
      <TextField
        field="number"
        label={texts.number}
        autocomplete="cc-number"
        isCardData
        inputMode="numeric"
        placeholder="1234 1234 1234 1234"
        format={formatCardNumber}
      >
        <BrandBadge brand={brand} />
      </TextField>
      <div class="pair">
        <TextField
          field="expiry"
          label={texts.expiry}
          autocomplete="cc-exp"
          isCardData
          inputMode="numeric"
          placeholder={texts.expiryHint}
          format={formatExpiry}
        />
        <TextField
          field="cvv"
          label={texts.cvv}
          autocomplete="cc-csc"
          isCardData
          inputMode="numeric"
          hint={texts.cvvHint(brand.securityCodeLength)}
          format={digitsUpTo(brand.securityCodeLength)}
        />
      </div>
      {fields.includes('name') && (
        <TextField field="name" label={texts.name} autocomplete="cc-name" maxLength={100} />
      )}
    </>
  );
}
