import { ErrorCode, type FormSession } from '@tillstream/contracts';
import type { VNode } from 'preact';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { challengeOf } from '../challenge/challenge.js';
import { ChallengeScreen } from '../challenge/challenge.screen.js';
import { LanguageContext, type Speech } from '../language/language.context.js';
import { chooseLanguage, localeOf, type Language } from '../language/language.js';
import { textsFor } from '../language/texts.js';
import { ReportContext } from '../messages/report.context.js';
import { FormScreen } from '../screens/form.screen.js';
import { Layout } from '../screens/layout.js';
import { LoadingScreen, ProblemScreen } from '../screens/problem.screen.js';
import { ResultScreen } from '../screens/result.screen.js';
import { endingOf } from '../session/form.end.js';
import type { PaymentSession, SessionState } from '../session/payment.session.js';
import { ErrorBoundary } from './error.boundary.js';
import { useParentWindow } from './use-parent-window.js';
import { usePaymentSession } from './use-payment-session.js';
import { useRedirect } from './use-redirect.js';

/** @param address of this page without query: the calls of the form are below it */
export function Page({ address }: { readonly address: string }): VNode {
  const [state, payment] = usePaymentSession(address);
  const { session } = state;
  const [speech, setLanguage] = useLanguage(session);
  const report = useParentWindow(state);
  useRedirect(session);
  useEffect(() => {
    document.documentElement.lang = speech.language;
    document.title = session
      ? speech.texts.title[session.type](session.merchantName)
      : speech.texts.intent.Sale;
  }, [speech, session]);
  return (
    <LanguageContext.Provider value={speech}>
      <Layout session={session} state={state} payment={payment} onLanguage={setLanguage}>
        <ReportContext.Provider value={report}>
          <ErrorBoundary onError={() => report(failureCode(session))}>
            <Screen state={state} payment={payment} />
          </ErrorBoundary>
        </ReportContext.Provider>
      </Layout>
    </LanguageContext.Provider>
  );
}

function Screen({
  state,
  payment,
}: {
  readonly state: SessionState;
  readonly payment: PaymentSession;
}): VNode {
  const { session, loadError } = state;
  if (loadError) return <ProblemScreen problem={loadError} onRetry={() => void payment.load()} />;
  if (!session) return <LoadingScreen />;
  const ending = endingOf(session);
  if (ending) return <ResultScreen session={session} ending={ending} />;
  const challenge = challengeOf(session);
  return (
    <>
      {/* It keeps what the customer entered: the challenge may fail. */}
      <div hidden={challenge !== undefined}>
        <FormScreen session={session} state={state} payment={payment} />
      </div>
      {challenge && (
        <ChallengeScreen challenge={challenge} session={session} state={state} payment={payment} />
      )}
    </>
  );
}

/** Of an error of this page itself: the fields of a card could not be shown, or anything else. */
function failureCode(session: FormSession | undefined): number {
  const isCardForm = session?.paymentMethodType === 'Virtual' && endingOf(session) === undefined;
  return isCardForm ? ErrorCode.SdkCardInitFailed : ErrorCode.SdkJavaScriptError;
}

function useLanguage(session: FormSession | undefined): readonly [Speech, (language: Language) => void] {
  const [chosen, choose] = useState<Language>();
  const asked = new URLSearchParams(location.search).get('lang');
  const language = chosen ?? chooseLanguage([asked, ...navigator.languages, session?.locale]);
  const merchantLocale = session?.locale ?? '';
  const account = session?.paymentMethodType ?? 'Virtual';
  const speech = useMemo(
    () => ({ language, locale: localeOf(language, merchantLocale), texts: textsFor(language, account) }),
    [language, merchantLocale, account],
  );
  return [speech, choose];
}
