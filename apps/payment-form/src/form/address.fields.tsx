import type { VNode } from 'preact';
import { useMemo } from 'preact/hooks';
import { countriesIn } from '../address/countries.js';
import { subdivisionsOf } from '../address/subdivisions.js';
import { useSpeech } from '../language/language.context.js';
import { useFields } from './fields.context.js';
import type { FieldName } from './form.values.js';
import { SelectField } from './select.field.js';
import { TextField } from './text.field.js';

/** `Minimal`: country and postal code. `Full`: the whole address. */
export function AddressFields({ fields }: { readonly fields: readonly FieldName[] }): VNode {
  const { texts, locale } = useSpeech();
  const countries = useMemo(() => countriesIn(locale), [locale]);
  const country = (
    <SelectField
      field="countryCode"
      label={texts.field.countryCode}
      autocomplete="billing country"
      choices={countries}
    />
  );
  if (!fields.includes('address')) {
    return (
      <div class="pair country-and-zip">
        {country}
        <ZipField />
      </div>
    );
  }
  return (
    <>
      {country}
      <TextField
        field="address"
        label={texts.field.address}
        autocomplete="billing address-line1"
        maxLength={100}
      />
      <TextField
        field="address2"
        label={texts.field.address2}
        autocomplete="billing address-line2"
        maxLength={100}
        isOptional
      />
      <TextField
        field="city"
        label={texts.field.city}
        autocomplete="billing address-level2"
        maxLength={100}
      />
      <div class="pair">
        <StateField />
        <ZipField />
      </div>
    </>
  );
}

function StateField(): VNode {
  const { texts, language } = useSpeech();
  const { countryCode } = useFields().values;
  const choices = useMemo(() => subdivisionsOf(countryCode, language), [countryCode, language]);
  const autocomplete = 'billing address-level1';
  if (!choices) {
    return (
      <TextField field="state" label={texts.field.stateOther} autocomplete={autocomplete} maxLength={100} />
    );
  }
  return (
    <SelectField
      field="state"
      label={countryCode === 'US' ? texts.field.stateUs : texts.field.stateCa}
      autocomplete={autocomplete}
      choices={choices}
      emptyText={texts.field.choice}
    />
  );
}

const HAS_OWN_FORM: readonly string[] = ['US', 'CA'];

function ZipField(): VNode {
  const { texts } = useSpeech();
  const { countryCode } = useFields().values;
  return (
    <TextField
      field="zipCode"
      label={countryCode === 'US' ? texts.field.zipUs : texts.field.zipOther}
      autocomplete="billing postal-code"
      inputMode={countryCode === 'US' ? 'numeric' : 'text'}
      autocapitalize="characters"
      maxLength={10}
      hint={HAS_OWN_FORM.includes(countryCode) ? undefined : texts.field.zipHint}
    />
  );
}
