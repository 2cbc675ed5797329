import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { useSpeech } from '../language/language.context.js';
import type { FormState } from './form.state.js';
import type { FieldName } from './form.values.js';

export interface Fields extends FormState {
  readonly onInput: (field: FieldName, value: string) => void;
  readonly onLeave: (field: FieldName) => void;
}

export const FieldsContext = createContext<Fields | undefined>(undefined);

export function useFields(): Fields {
  const fields = useContext(FieldsContext);
  if (!fields) throw new Error('a field stands outside of the form');
  return fields;
}

/** The element of a field, for the focus. */
export const fieldId = (field: FieldName): string => `field-${field}`;

export interface Field {
  readonly value: string;
  readonly error: string | undefined;
  /** Without `name`: a form that is sent by the browser itself would put it into the address. */
  readonly attributes: {
    readonly id: string;
    readonly value: string;
    readonly 'aria-invalid': boolean;
    readonly 'aria-describedby': string | undefined;
    readonly onBlur: () => void;
  };
  readonly onInput: (value: string) => void;
}

export function useField(field: FieldName, hasHint = false): Field {
  const { values, errors, onInput, onLeave } = useFields();
  const { texts } = useSpeech();
  const error = errors[field];
  const id = fieldId(field);
  const describedBy = [hasHint ? `${id}-hint` : '', error ? `${id}-error` : ''].filter((one) => one !== '');
  return {
    value: values[field],
    error: error && texts.error[error],
    attributes: {
      id,
      value: values[field],
      'aria-invalid': error !== undefined,
      'aria-describedby': describedBy.length > 0 ? describedBy.join(' ') : undefined,
      onBlur: () => onLeave(field),
    },
    onInput: (value) => onInput(field, value),
  };
}
