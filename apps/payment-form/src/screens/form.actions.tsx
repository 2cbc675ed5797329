import type { FormSession } from '@tillstream/contracts';
import type { VNode } from 'preact';
import { useSpeech } from '../language/language.context.js';
import { amountText } from '../language/money.js';
import type { Texts } from '../language/texts.js';
import type { Activity } from '../session/payment.session.js';

interface FormActionsProps {
  readonly session: FormSession;
  readonly activity: Activity;
  readonly onCancel: () => void;
}

export function FormActions({ session, activity, onCancel }: FormActionsProps): VNode {
  const { texts, locale, language } = useSpeech();
  const { type, amount, currency, authorization } = session;
  const isBusy = activity !== 'waiting';
  const saysOnButton = activity === 'submitting';
  const isPaying = saysOnButton || activity === 'repeating';
  const idle = texts.submit[type](amount === undefined ? '' : amountText(amount, currency, locale));
  const { label, hint } = progressTexts(texts, activity);
  return (
    <div class="actions">
      {authorization && (
        <p class="consent" id="consent">
          {authorization.texts[language]}
        </p>
      )}
      <button
        type="submit"
        class="primary"
        disabled={isBusy}
        aria-describedby={authorization && 'consent'}
        onMouseDown={keepFocus}
      >
        {isPaying && <span class="spinner" aria-hidden="true" />}
        <span>{isPaying ? texts.submitting : idle}</span>
      </button>
      <p class={isBusy ? 'progress' : 'progress visually-hidden'} role="status">
        {label !== '' && <span class={saysOnButton ? 'visually-hidden' : ''}>{label} </span>}
        {hint !== '' && <span>{hint}</span>}
      </p>
      <button type="button" class="quiet" disabled={isBusy} onMouseDown={keepFocus} onClick={onCancel}>
        {texts.cancel}
      </button>
    </div>
  );
}

/** A field that loses the focus may show an error, and move the button away from under the pointer: the click is lost. */
function keepFocus(event: MouseEvent): void {
  event.preventDefault();
}

function progressTexts(texts: Texts, activity: Activity): { readonly label: string; readonly hint: string } {
  switch (activity) {
    case 'submitting':
      return { label: texts.submitting, hint: texts.submittingHint };
    case 'repeating':
      return { label: texts.repeating, hint: texts.repeatingHint };
    case 'cancelling':
      return { label: texts.cancelling, hint: '' };
    case 'loading':
    case 'waiting':
      return { label: '', hint: '' };
  }
}
