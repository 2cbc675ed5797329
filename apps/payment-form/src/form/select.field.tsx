import type { VNode } from 'preact';
import type { Choice } from '../address/countries.js';
import { FieldFrame } from './field.frame.js';
import { useField } from './fields.context.js';
import type { FieldName } from './form.values.js';

interface SelectFieldProps {
  readonly field: FieldName;
  readonly label: string;
  readonly autocomplete: string;
  readonly choices: readonly Choice[];
  /** Shown while nothing is chosen. */
  readonly emptyText?: string;
}

export function SelectField({ field, label, autocomplete, choices, emptyText }: SelectFieldProps): VNode {
  const { error, attributes, onInput } = useField(field);
  return (
    <FieldFrame field={field} label={label} error={error}>
      <select
        {...attributes}
        autocomplete={autocomplete}
        required
        class={attributes.value === '' ? 'empty' : ''}
        onInput={({ currentTarget }) => onInput(currentTarget.value)}
      >
        {emptyText !== undefined && <option value="">{emptyText}</option>}
        {choices.map(({ code, name }) => (
          <option key={code} value={code}>
            {name}
          </option>
        ))}
      </select>
      <span class="chevron" aria-hidden="true" />
    </FieldFrame>
  );
}
