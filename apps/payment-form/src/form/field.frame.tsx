import type { ComponentChildren, VNode } from 'preact';
import { AlertIcon } from '../screens/icons.js';
import { useSpeech } from '../language/language.context.js';
import { fieldId } from './fields.context.js';
import type { FieldName } from './form.values.js';

interface FieldFrameProps {
  readonly field: FieldName;
  readonly label: string;
  readonly hint?: string | undefined;
  readonly isOptional?: boolean;
  readonly error: string | undefined;
  readonly children: ComponentChildren;
}

/** A label above its field, a hint, and the error below. */
export function FieldFrame({ field, label, hint, isOptional, error, children }: FieldFrameProps): VNode {
  const { texts } = useSpeech();
  const id = fieldId(field);
  return (
    <div class={`field ${field}`}>
      <label for={id}>
        {label} {isOptional && <span class="optional">{texts.skipped}</span>}
      </label>
      <div class="control">{children}</div>
      {hint && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {error && (
        <p class="error" id={`${id}-error`}>
          <AlertIcon />
          <span>{error}</span>
        </p>
      )}
    </div>
  );
}
