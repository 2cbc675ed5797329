import type { FormSession } from '@tillstream/contracts';
import { useContext, useEffect, useMemo, useState } from 'preact/hooks';
import { useSpeech } from '../language/language.context.js';
import { ReportContext } from '../messages/report.context.js';
import type { PaymentSession, SessionState } from '../session/payment.session.js';
import { codesOf } from './field.codes.js';
import { fieldId, type Fields } from './fields.context.js';
import { serverErrors, type FieldErrors } from './form.check.js';
import { checked, withFieldChecked, withoutSecurityCode, withValue, type FormState } from './form.state.js';
import { emptyValues, fieldsOf, submissionOf, type FieldName } from './form.values.js';

export interface PaymentForm {
  readonly fields: Fields;
  readonly asked: readonly FieldName[];
  readonly submit: () => void;
}

interface PaymentFormSource {
  readonly session: FormSession;
  readonly state: SessionState;
  readonly payment: PaymentSession;
}

/** The values and errors of the form: in memory only. */
export function usePaymentForm({ session, state, payment }: PaymentFormSource): PaymentForm {
  const [form, setForm] = useState<FormState>(() => ({ values: emptyValues(session), errors: {} }));
  const asked = useMemo(() => fieldsOf(session), [session]);
  const { language } = useSpeech();
  const report = useContext(ReportContext);
  const now = (): Date => new Date(Date.parse(session.now) + performance.now() - state.readAtMs);
  const { notice } = state;
  const refuse = (errors: FieldErrors): void => {
    codesOf(errors, session).forEach(report);
    focusFirst(asked, errors);
  };

  useEffect(() => {
    if (!notice) return;
    if (notice.kind === 'invalid') {
      const errors = serverErrors(notice.details, asked, form.values);
      setForm((current) => ({ values: current.values, errors }));
      refuse(errors);
    } else if (notice.kind !== 'notCancelled') setForm(withoutSecurityCode);
  }, [notice]);

  const submit = (): void => {
    if (payment.state.activity !== 'waiting') return;
    const next = checked(form, asked, now());
    setForm(next);
    if (Object.keys(next.errors).length > 0) return refuse(next.errors);
    const { authorization } = session;
    void payment.submit({
      ...submissionOf(next.values, asked),
      ...(authorization && { authorization: { version: authorization.version, language } }),
    });
  };
  const fields: Fields = {
    ...form,
    onInput: (field, value) => setForm((current) => withValue(current, field, value)),
    onLeave: (field) => setForm((current) => withFieldChecked(current, field, now())),
  };
  return { fields, asked, submit };
}

/** After the page was drawn, because the fields are disabled during a submission. */
function focusFirst(asked: readonly FieldName[], errors: FieldErrors): void {
  const first = asked.find((field) => errors[field] !== undefined);
  if (first) requestAnimationFrame(() => document.getElementById(fieldId(first))?.focus());
}
