import type { FormSession } from '@tillstream/contracts';
import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { useSpeech } from '../language/language.context.js';
import { ANNOUNCED_SECONDS, minutesText, secondsLeft, URGENT_SECONDS } from '../session/session.clock.js';
import { ClockIcon } from './icons.js';

interface CountdownProps {
  readonly session: FormSession;
  readonly readAtMs: number;
  /** Called at zero, and again while the session is still open. */
  readonly onOver: () => void;
}

const TICK_MS = 1_000;
const REPEATED_EVERY_TICKS = 5;

/** The time that is left. A screen reader announces it twice only. */
export function Countdown({ session, readAtMs, onOver }: CountdownProps): VNode {
  const { texts } = useSpeech();
  const left = (): number => secondsLeft(session, performance.now() - readAtMs);
  const [seconds, setSeconds] = useState(left);
  const [announced, setAnnounced] = useState<number>();
  useEffect(() => {
    let ticksOver = 0;
    const tick = (): void => {
      const now = left();
      setSeconds(now);
      if (ANNOUNCED_SECONDS.includes(now)) setAnnounced(now);
      if (now === 0 && ticksOver++ % REPEATED_EVERY_TICKS === 0) onOver();
    };
    tick();
    const timer = setInterval(tick, TICK_MS);
    return () => clearInterval(timer);
  }, [session.expiresAt, session.now, readAtMs]);
  return (
    <div class="countdown">
      <p class={seconds <= URGENT_SECONDS ? 'time urgent' : 'time'}>
        <ClockIcon />
        <span>{texts.timeLeft}</span> <span class="digits">{minutesText(seconds)}</span>
      </p>
      <p class="visually-hidden" role="status">
        {announced === undefined ? '' : texts.timeAnnouncement(announced / 60)}
      </p>
    </div>
  );
}
