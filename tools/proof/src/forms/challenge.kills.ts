import { withHistories } from '../audit/histories.js';
import type { NamedReport } from '../audit/deployment.audit.js';
import type { ProofOptions } from '../proof.types.js';
import { newDeployment, SHORT_LATE_INQUIRIES } from '../support/deployment.js';
import { advanceClock } from '../support/sandbox.clock.js';
import {
  APPROVED,
  CHALLENGED,
  RIGHT_CODE,
  WRONG_CODE,
  type FormClient,
  type FormKind,
  type OpenForm,
} from './form.client.js';
import { ANSWER_TIMEOUT_MS, FormTrial, RESOLUTION_TIMEOUT_MS } from './form.trial.js';

/** `completion`: the cardholders have answered at their bank, and the forms go on. */
export interface ChallengeKill {
  readonly during: 'submission' | 'completion';
  readonly point: string;
}

const SUBMISSION_POINTS = ['after-request', 'after-authentication', 'before-response'];
/** Both phases reach it: also without a challenge the authentication is stored. */
const STORED = 'after-authentication-stored';
const COMPLETION_POINTS = [
  ...['before-send', 'after-send', 'after-answer'],
  ...['before-outcome', 'after-outcome', 'before-response'],
];

export const CHALLENGE_KILLS: readonly ChallengeKill[] = [
  ...[...SUBMISSION_POINTS, STORED].map((point) => ({ during: 'submission', point }) as const),
  ...[STORED, ...COMPLETION_POINTS].map((point) => ({ during: 'completion', point }) as const),
];
export const QUICK_CHALLENGE_KILLS: readonly ChallengeKill[] = [
  { during: 'submission', point: 'after-authentication' },
  { during: 'completion', point: 'before-outcome' },
];

/** Forms in flight at a kill. Of each three, one is abandoned after it. */
const KINDS: readonly FormKind[] = ['Sale', 'TokenCreate', 'Sale', 'Auth', 'Sale', 'TokenCreate'];
/** Its cardholder enters a wrong code. */
const MISTAKEN = 0;
const isAbandoned = (nth: number): boolean => nth % 3 === 2;
/** The fewest forms that reach a point. */
const REACHING_LEAST = 3;
/** The time that a cardholder has, and a margin. */
const CHALLENGE_LIFETIME_S = 605;

/**
 * Kills the process while forms with 3-D Secure are submitted, or go on after their challenges. Another process finishes them;
 * what is abandoned ends with the time of its challenge. No card stays in the vault.
 */
export async function killDuringChallenges(
  jobs: readonly ChallengeKill[],
  kills: number,
  { say, quick }: ProofOptions,
): Promise<NamedReport> {
  const name = jobs.map(({ during, point }) => `${point} of a challenge's ${during}`).join(', ');
  const trial = new ChallengeTrial(newDeployment(1, quick ? SHORT_LATE_INQUIRIES : {}));
  try {
    await trial.restart();
    for (let kill = 0; kill < kills && trial.complaints.length === 0; kill++)
      for (const job of jobs) await trial.killOnce(job);
    await trial.untilNoWorkIsLeft();
    return { name, ...(await trial.audit()) };
  } finally {
    say(`${name}: ${trial.kills} kills, ${trial.complaints.length} complaints`);
    await trial.service?.kill();
    trial.deployment.remove();
  }
}

class ChallengeTrial extends FormTrial {
  async killOnce({ during, point }: ChallengeKill): Promise<void> {
    const { client, origin } = this;
    const made = await Promise.all(KINDS.map((kind) => client.open(origin, kind, { enable3DSecure: true })));
    this.opened.push(...made);
    if (during === 'submission') await this.dieDuringSubmissions(client, point, made);
    else await this.dieDuringCompletions(client, point, made);
    await this.countOpen(made);

    await this.restart();
    const left = made.filter((_, nth) => !isAbandoned(nth));
    const finished = await Promise.all(left.map((form) => client.finish(origin, form, ANSWER_TIMEOUT_MS)));
    for (const [nth, { transactionId }] of left.entries())
      if (!finished[nth]) this.complaints.push(`${transactionId} was not finished after a restart`);
    const moved = await advanceClock(this.deployment, origin, CHALLENGE_LIFETIME_S);
    if (!moved) this.complaints.push('the clock was not moved');
    await Promise.all(made.map((form) => client.leave(origin, form, ANSWER_TIMEOUT_MS)));
    await this.untilResolved();
  }

  /** Half of the cards need no challenge. */
  private dieDuringSubmissions(client: FormClient, point: string, made: readonly OpenForm[]): Promise<void> {
    return this.die(point, REACHING_LEAST, (dying) =>
      Promise.all(
        made.map((form, nth) =>
          client.submit(dying, form, { number: nth % 2 === 0 ? CHALLENGED : APPROVED }),
        ),
      ),
    );
  }

  /** Each form goes on by its own page and by the bank's, at once. */
  private async dieDuringCompletions(
    client: FormClient,
    point: string,
    made: readonly OpenForm[],
  ): Promise<void> {
    const { origin } = this;
    const pages = await Promise.all(
      made.map(async (form, nth) => {
        await client.submit(origin, form, { number: CHALLENGED });
        const page = await client.challengeOf(origin, form);
        if (page === undefined) this.complaints.push(`${form.transactionId} has no challenge`);
        const code = nth === MISTAKEN ? WRONG_CODE : RIGHT_CODE;
        await client.enterCode(origin, form, page ?? '/', code);
        return page ?? '/';
      }),
    );
    await this.die(point, REACHING_LEAST, (dying) =>
      Promise.all(
        made.flatMap((form, nth) => [
          client.complete(dying, form),
          client.completeAtBank(dying, form, pages[nth] ?? '/'),
        ]),
      ),
    );
  }

  /** The cards of challenges are destroyed, at the latest after the time of the challenge. */
  async untilNoWorkIsLeft(): Promise<void> {
    await advanceClock(this.deployment, this.origin, CHALLENGE_LIFETIME_S);
    const left = await withHistories(this.deployment, (histories) =>
      histories.waitUntilNoWorkIsLeft(RESOLUTION_TIMEOUT_MS),
    );
    this.complaints.push(...left.map((what) => `${what} is left`));
  }
}
