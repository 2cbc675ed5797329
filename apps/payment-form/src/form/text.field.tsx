import type { ComponentChildren, VNode } from 'preact';
import type { Format } from '../card/typed.text.js';
import { FieldFrame } from './field.frame.js';
import { useField } from './fields.context.js';
import type { FieldName } from './form.values.js';

interface TextFieldProps {
  readonly field: FieldName;
  readonly label: string;
  readonly autocomplete: string;
  readonly hint?: string | undefined;
  readonly isOptional?: boolean;
  /**
   * The browser must not keep it. Chrome writes what was typed into a file of its profile, to restore the tab, unless
   * `autocomplete` is `off`; a field that is empty can still be filled with a card that the browser knows.
   */
  readonly isCardData?: boolean;
  readonly placeholder?: string;
  readonly inputMode?: 'numeric' | 'email' | 'tel' | 'text';
  readonly maxLength?: number;
  readonly autocapitalize?: 'characters' | 'words' | 'none';
  /** Applied while the customer types; the caret stays at its digit. */
  readonly format?: Format;
  /** Beside the text, such as the card's brand. */
  readonly children?: ComponentChildren;
}

export function TextField(props: TextFieldProps): VNode {
  const { field, label, hint, isOptional = false, isCardData = false, ...rest } = props;
  const { format, children, autocomplete, ...input } = rest;
  const { value, error, attributes, onInput } = useField(field, hint !== undefined);
  return (
    <FieldFrame field={field} label={label} hint={hint} isOptional={isOptional} error={error}>
      <input
        {...input}
        {...attributes}
        autocomplete={isCardData && value !== '' ? 'off' : autocomplete}
        type="text"
        required={!isOptional}
        spellcheck={false}
        autocorrect="off"
        onInput={({ currentTarget }) => onInput(formatted(currentTarget, format))}
      />
      {children}
    </FieldFrame>
  );
}

function formatted(input: HTMLInputElement, format: Format | undefined): string {
  if (!format) return input.value;
  const { text, caret } = format({ text: input.value, caret: input.selectionStart ?? input.value.length });
  if (text !== input.value) {
    input.value = text;
    input.setSelectionRange(caret, caret);
  }
  return text;
}
