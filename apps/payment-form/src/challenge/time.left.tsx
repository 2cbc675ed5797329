import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { useSpeech } from '../language/language.context.js';
import { ClockIcon } from '../screens/icons.js';
import { minutesText, secondsLeft, URGENT_SECONDS } from '../session/session.clock.js';
import type { ChallengeProps } from './challenge.screen.js';

const TICK_MS = 1_000;

/** Of the challenge. Screen readers do not announce each second. */
export function TimeLeft({
  challenge: { expiresAt },
  session: { now },
  state,
}: ChallengeProps): VNode | null {
  const { texts } = useSpeech();
  const { readAtMs } = state;
  const left = (): number =>
    expiresAt === undefined ? 0 : secondsLeft({ expiresAt, now }, performance.now() - readAtMs);
  const [seconds, setSeconds] = useState(left);
  useEffect(() => {
    setSeconds(left());
    const timer = setInterval(() => setSeconds(left()), TICK_MS);
    return () => clearInterval(timer);
  }, [expiresAt, now, readAtMs]);
  if (expiresAt === undefined) return null;
  return (
    <p class={seconds <= URGENT_SECONDS ? 'time urgent' : 'time'}>
      <ClockIcon />
      <span>{texts.timeLeft}</span> <span class="digits">{minutesText(seconds)}</span>
    </p>
  );
}
