import type { FormSession } from '@tillstream/contracts';
import { useEffect, useMemo, useState } from 'preact/hooks';
import type { PaymentSession, SessionState } from '../session/payment.session.js';
import { fieldId, type Fields } from './fields.context.js';
import { serverErrors, type FieldErrors } from './form.check.js';
import { checked, left, typed, withoutSecurityCode, type FormState } from './form.state.js';
import { emptyValues, fieldsOf, submissionOf, type FieldName } from './form.values.js';

export interface CardForm {
  readonly fields: Fields;
  readonly asked: readonly FieldName[];
  readonly submit: () => void;
}

interface CardFormSource {
  readonly session: FormSession;
  readonly state: SessionState;
  readonly payment: PaymentSession;
}

/** The values and errors of the form: in memory only. */
export function useCardForm({ session, state, payment }: CardFormSource): CardForm {
  const [form, setForm] = useState<FormState>(() => ({ values: emptyValues(session), errors: {} }));
  const asked = useMemo(() => fieldsOf(session), [session]);
  const now = (): Date => new Date(Date.parse(session.now) + performance.now() - state.readAtMs);
  const { notice } = state;

  useEffect(() => {
    if (!notice) return;
    if (notice.kind === 'invalid') {
      const errors = serverErrors(notice.details, asked, form.values);
      setForm((current) => ({ values: current.values, errors }));
      focusFirst(asked, errors);
    } else if (notice.kind !== 'notCancelled') setForm(withoutSecurityCode);
  }, [notice]);

  const submit = (): void => {
    if (payment.state.activity !== 'waiting') return;
    const next = checked(form, asked, now());
    setForm(next);
    if (Object.keys(next.errors).length > 0) focusFirst(asked, next.errors);
    else void payment.submit(submissionOf(next.values, asked));
  };
  const fields: Fields = {
    ...form,
    onInput: (field, value) => setForm((current) => typed(current, field, value)),
    onLeave: (field) => setForm((current) => left(current, field, now())),
  };
  return { fields, asked, submit };
}

/** After the page was drawn, because the fields are disabled during a submission. */
function focusFirst(asked: readonly FieldName[], errors: FieldErrors): void {
  const first = asked.find((field) => errors[field] !== undefined);
  if (first) requestAnimationFrame(() => document.getElementById(fieldId(first))?.focus());
}
