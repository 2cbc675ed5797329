import type { VNode } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { focusIfActive } from '../page/focus.js';
import { useSpeech } from '../language/language.context.js';
import { AlertIcon, CrossIcon, ShieldIcon } from '../screens/icons.js';
import type { Challenge } from './challenge.js';
import type { ChallengeProps } from './challenge.screen.js';
import { TimeLeft } from './time.left.js';
import { useChallengeFrame } from './use-challenge-frame.js';

interface ChallengeOverlayProps extends ChallengeProps {
  readonly onLeave: () => void;
}

/** The page of the customer's bank in a modal dialog: what is behind it can't be reached. */
export function ChallengeOverlay({ onLeave, ...props }: ChallengeOverlayProps): VNode {
  const { challenge, session, payment } = props;
  const { texts: all, language } = useSpeech();
  const texts = all.challenge;
  // A page of the service knows this parameter; one of another origin may not.
  const [address] = useState(() => addressOf(challenge, language));
  const [isAsking, setAsking] = useState(false);
  const dialog = useRef<HTMLDialogElement>(null);
  const frame = useChallengeFrame(challenge, payment);
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    dialog.current?.showModal();
    focusIfActive(title.current);
  }, []);
  /** Neither Escape nor the back gesture of a phone closes it without a question. */
  const ask = (event: Event): void => {
    event.preventDefault();
    setAsking(!isAsking);
  };
  return (
    <dialog
      ref={dialog}
      class="challenge"
      aria-labelledby="challenge-title"
      aria-describedby="challenge-text"
      onKeyDown={(event) => {
        if (event.key === 'Escape') ask(event);
      }}
      onCancel={ask}
      // A browser closes it at the second Escape without a click in between.
      onClose={() => dialog.current?.isConnected && dialog.current.showModal()}
    >
      <header class="challenge-head">
        <ShieldIcon />
        <h2 id="challenge-title" tabIndex={-1} ref={title}>
          {texts.title}
        </h2>
        <button type="button" class="challenge-leave" aria-label={texts.leave} onClick={ask}>
          <CrossIcon />
        </button>
        <p id="challenge-text">{texts.text(session.merchantName)}</p>
        <TimeLeft {...props} />
      </header>
      {frame.isSilent && (
        <div class="banner" role="alert">
          <AlertIcon />
          <div>
            <p class="banner-title">{texts.silent}</p>
            <p>{texts.silentText}</p>
            <button type="button" class="quiet" onClick={frame.reload}>
              {texts.reload}
            </button>
          </div>
        </div>
      )}
      <iframe
        key={frame.loads}
        ref={frame.element}
        class={isAsking ? 'challenge-frame covered' : 'challenge-frame'}
        title={texts.frame}
        src={address}
        // It can't lead the customer away from this page.
        sandbox="allow-forms allow-popups allow-same-origin allow-scripts"
        referrerPolicy="strict-origin"
        onLoad={frame.onLoad}
      />
      {isAsking && <LeaveQuestion onStay={() => setAsking(false)} onLeave={onLeave} />}
    </dialog>
  );
}

function addressOf({ url }: Challenge, language: string): string {
  const own = new URL(url);
  if (own.origin === location.origin) own.searchParams.set('lang', language);
  return own.href;
}

interface LeaveQuestionProps {
  readonly onStay: () => void;
  readonly onLeave: () => void;
}

function LeaveQuestion({ onStay, onLeave }: LeaveQuestionProps): VNode {
  const { challenge: texts } = useSpeech().texts;
  const stay = useRef<HTMLButtonElement>(null);
  useEffect(() => stay.current?.focus(), []);
  return (
    <div
      class="leave-question"
      role="alertdialog"
      aria-labelledby="leave-title"
      aria-describedby="leave-text"
    >
      <h3 id="leave-title">{texts.question}</h3>
      <p id="leave-text">{texts.questionText}</p>
      <button type="button" class="primary" ref={stay} onClick={onStay}>
        {texts.stay}
      </button>
      <button type="button" class="quiet" onClick={onLeave}>
        {texts.leave}
      </button>
    </div>
  );
}
