import type { FormSession } from '@tillstream/contracts';
import type { ComponentChildren, VNode } from 'preact';
import { useSpeech } from '../language/language.context.js';
import type { Language } from '../language/language.js';
import { endingOf } from '../session/form.end.js';
import type { PaymentSession, SessionState } from '../session/payment.session.js';
import { Countdown } from './countdown.js';
import { LockIcon } from './icons.js';
import { LanguageSwitch } from './language.switch.js';
import { Summary } from './summary.js';

interface LayoutProps {
  readonly session: FormSession | undefined;
  readonly state: SessionState;
  readonly payment: PaymentSession;
  readonly onLanguage: (language: Language) => void;
  readonly children: ComponentChildren;
}

/** What is paid, to whom, and the time that is left, around the screen. */
export function Layout({ session, state, payment, onLanguage, children }: LayoutProps): VNode {
  const { texts } = useSpeech();
  const isOpen = session && endingOf(session) === undefined;
  return (
    <div class="layout">
      <header class="summary">
        <LanguageSwitch onChange={onLanguage} />
        {session && <Summary session={session} />}
        {isOpen && (
          <Countdown session={session} readAtMs={state.readAtMs} onOver={() => void payment.refresh()} />
        )}
      </header>
      <main class="panel">
        {children}
        {isOpen && (
          <p class="privacy">
            <LockIcon />
            <span>{texts.privacy(session.merchantName)}</span>
          </p>
        )}
      </main>
    </div>
  );
}
