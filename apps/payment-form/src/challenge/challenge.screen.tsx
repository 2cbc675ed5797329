import type { FormSession } from '@tillstream/contracts';
import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { useSpeech } from '../language/language.context.js';
import { ClockIcon } from '../screens/icons.js';
import { Verdict } from '../screens/verdict.js';
import type { PaymentSession, SessionState } from '../session/payment.session.js';
import type { Challenge } from './challenge.js';
import { ChallengeOverlay } from './challenge.overlay.js';
import { TimeLeft } from './time.left.js';

export interface ChallengeProps {
  readonly challenge: Challenge;
  readonly session: FormSession;
  readonly state: SessionState;
  readonly payment: PaymentSession;
}

/** The message of the bank's page may not arrive, so the service is asked too. */
const ASKED_EVERY_MS = 5_000;

/** Instead of the form while the customer's bank verifies a card by 3-D Secure. */
export function ChallengeScreen(props: ChallengeProps): VNode {
  const { payment, state } = props;
  const { texts } = useSpeech();
  const [hasLeft, setLeft] = useState(false);
  useEffect(() => {
    const timer = setInterval(() => void payment.askChallenge(), ASKED_EVERY_MS);
    return () => clearInterval(timer);
  }, [payment]);
  if (state.activity !== 'waiting') {
    const { label, hint } =
      state.activity === 'repeating'
        ? { label: texts.repeating, hint: texts.repeatingHint }
        : { label: texts.submitting, hint: texts.submittingHint };
    return (
      <div class="loading verifying" role="status">
        <span class="spinner" aria-hidden="true" />
        <p>
          {label} {hint}
        </p>
      </div>
    );
  }
  if (hasLeft) return <LeftScreen {...props} onContinue={() => setLeft(false)} />;
  return (
    <div class="verifying">
      <ChallengeOverlay {...props} onLeave={() => setLeft(true)} />
    </div>
  );
}

/** The customer left the overlay: the challenge stays open until its time is over. */
function LeftScreen({ onContinue, ...props }: ChallengeProps & { readonly onContinue: () => void }): VNode {
  const { challenge: texts } = useSpeech().texts;
  return (
    <Verdict tone="neutral" icon={<ClockIcon />} title={texts.left} text={texts.leftText}>
      <TimeLeft {...props} />
      <button type="button" class="primary" onClick={onContinue}>
        {texts.stay}
      </button>
    </Verdict>
  );
}
