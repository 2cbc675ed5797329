import type { RebuildProgress } from '@tillstream/read-models';

const SHOW_EVERY_MS = 200;
const WIDTH = 24;

/** Says how fast it goes. */
export class ProgressClock {
  readonly #began: number;
  #shown = -Infinity;
  #phase = '';

  constructor(private readonly now: () => number = () => performance.now()) {
    this.#began = this.now();
  }

  isDue({ phase }: RebuildProgress): boolean {
    const now = this.now();
    if (phase === this.#phase && now < this.#shown + SHOW_EVERY_MS) return false;
    this.#phase = phase;
    this.#shown = now;
    return true;
  }

  perSecond(events: number): number {
    return (events / Math.max(this.now() - this.#began, 1)) * 1000;
  }
}

const PHASES: Readonly<Record<RebuildProgress['phase'], string>> = {
  Reading: 'reading events',
  Indexing: 'making indexes',
  CatchingUp: 'catching up',
  Swapping: 'swapping',
};

/** `transactions  [######------]  50 %  12,000 events, 40,000/s, 3 s left`. Without an expectation no bar and no time left. */
export function progressLine(
  projection: string,
  { phase, events, expectedEvents }: RebuildProgress,
  clock: ProgressClock,
): string {
  const rate = clock.perSecond(events);
  const facts = [`${count(events)} events`, `${count(Math.round(rate))}/s`];
  if (phase !== 'Reading') return `${projection}  ${PHASES[phase]}, ${facts.join(', ')}`;
  if (expectedEvents === undefined) return `${projection}  ${PHASES.Reading}, ${facts.join(', ')}`;
  const share = Math.min(events / expectedEvents, 1);
  const filled = Math.round(share * WIDTH);
  const bar = `[${'#'.repeat(filled)}${'-'.repeat(WIDTH - filled)}]`;
  const left = Math.ceil(Math.max(expectedEvents - events, 0) / Math.max(rate, 1));
  return `${projection}  ${bar} ${String(Math.round(share * 100)).padStart(3)} %  ${facts.join(', ')}, ${timeText(left)} left`;
}

function timeText(seconds: number): string {
  if (seconds < 90) return `${seconds} s`;
  return `${Math.round(seconds / 60)} min`;
}

const count = (number: number): string => number.toLocaleString('en');
