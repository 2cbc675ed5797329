import type { NamedReport } from '../audit/deployment.audit.js';
import { WebhookTrial } from './webhook.trial.js';

const RECEIVERS = 10;
const RECEIVED_WITHIN_MS = 60_000;

export interface DeadEndpointOptions {
  readonly events: number;
  readonly rounds: number;
  /** Most times as long. On a busy machine a short measurement varies by half; a delaying endpoint makes it ten times. */
  readonly ratioMax: number;
  say(line: string): void;
}

/** Measures how long nine endpoints wait for a backlog, with the tenth alive and with it dead. */
export async function deadEndpoint({
  events,
  rounds,
  ratioMax,
  say,
}: DeadEndpointOptions): Promise<NamedReport> {
  const trial = new WebhookTrial();
  try {
    await trial.start();
    for (let count = 0; count < RECEIVERS; count++) await trial.receive('Answers');
    const tenth = trial.receivers[RECEIVERS - 1];
    const measured: Record<'alive' | 'dead', number[]> = { alive: [], dead: [] };
    // The first backlog warms the processes up.
    await timeOfNine(trial, events);
    for (let round = 0; round < rounds; round++)
      for (const state of ['alive', 'dead'] as const) {
        if (tenth) tenth.behaviour = state === 'alive' ? 'Answers' : 'Never answers';
        measured[state].push(await timeOfNine(trial, events));
      }
    const [alive, dead] = [Math.min(...measured.alive), Math.min(...measured.dead)];
    const ratio = dead / alive;
    say(`nine endpoints: ${Math.round(alive)} ms, with a dead one beside them ${Math.round(dead)} ms`);
    const complaints = [...trial.complaints];
    if (ratio > ratioMax)
      complaints.push(`with a dead endpoint the other nine took ${ratio.toFixed(2)} times as long`);
    return {
      name: 'a dead endpoint',
      complaints,
      figures: { 'time with a dead endpoint, %': Math.round(ratio * 100) },
    };
  } finally {
    await trial.close();
  }
}

/** From the start of sending, with the backlog numbered, to the last delivery of the nine; ms. */
async function timeOfNine(trial: WebhookTrial, events: number): Promise<number> {
  const nine = trial.receivers.slice(0, RECEIVERS - 1);
  await trial.killDispatcher('SIGTERM');
  await trial.sell(events);
  await trial.startDispatcher();
  const startedAt = performance.now();
  await trial.untilReceived(nine, RECEIVED_WITHIN_MS);
  return performance.now() - startedAt;
}
