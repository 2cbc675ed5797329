import type { FormSession } from '@tillstream/contracts';
import type { ComponentChildren, VNode } from 'preact';
import { AddressFields } from '../form/address.fields.js';
import { BankFields } from '../form/bank.fields.js';
import { CardFields } from '../form/card.fields.js';
import { ContactFields } from '../form/contact.fields.js';
import { FieldsContext } from '../form/fields.context.js';
import { usePaymentForm } from '../form/use-payment-form.js';
import { useSpeech } from '../language/language.context.js';
import type { PaymentSession, SessionState } from '../session/payment.session.js';
import { FormActions } from './form.actions.js';
import { NoticeBanner } from './notice.banner.js';

interface FormScreenProps {
  readonly session: FormSession;
  readonly state: SessionState;
  readonly payment: PaymentSession;
}

export function FormScreen({ session, state, payment }: FormScreenProps): VNode {
  const { texts } = useSpeech();
  const { fields, asked, submit } = usePaymentForm({ session, state, payment });
  const { activity, notice } = state;
  const isBusy = activity !== 'waiting';
  const isMapped = notice?.kind === 'invalid' && Object.keys(fields.errors).length > 0;
  return (
    <FieldsContext.Provider value={fields}>
      <h1 class="visually-hidden">{texts.title[session.type](session.merchantName)}</h1>
      {notice && !isMapped && <NoticeBanner notice={notice} session={session} />}
      <form
        method="post"
        noValidate
        aria-busy={isBusy}
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <fieldset class="fields" disabled={isBusy}>
          <Section title={texts.section.account}>
            {session.paymentMethodType === 'Virtual' ? (
              <CardFields fields={asked} />
            ) : (
              <BankFields type={session.paymentMethodType} />
            )}
          </Section>
          <Section title={texts.section.billing}>
            <AddressFields fields={asked} />
          </Section>
          {session.formConfig.piiFields.length > 0 && (
            <Section title={texts.section.contact}>
              <ContactFields fields={asked} />
            </Section>
          )}
        </fieldset>
        <FormActions session={session} activity={activity} onCancel={() => void payment.cancel()} />
      </form>
    </FieldsContext.Provider>
  );
}

function Section({
  title,
  children,
}: {
  readonly title: string;
  readonly children: ComponentChildren;
}): VNode {
  return (
    <section class="section">
      <h2>{title}</h2>
      {children}
    </section>
  );
}
