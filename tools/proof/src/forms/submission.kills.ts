import type { NamedReport } from '../audit/deployment.audit.js';
import type { ProofOptions } from '../proof.types.js';
import { newDeployment } from '../support/deployment.js';
import { DECLINED, type FormKind, type OpenForm } from './form.client.js';
import { ANSWER_TIMEOUT_MS, FormTrial } from './form.trial.js';

/** Forms in flight at a kill. */
export const KINDS: readonly FormKind[] = [
  'Sale',
  'Auth',
  'Sale',
  'TokenCreate',
  'UnreferencedRefund',
  'TokenCreate',
];

/** Kills the process during submissions. After a restart every form gets its outcome, and no customer pays twice. */
export async function killDuringSubmissions(
  points: readonly string[],
  kills: number,
  { say }: ProofOptions,
): Promise<NamedReport> {
  const name = points.join(', ');
  const trial = new SubmissionTrial(newDeployment(1));
  try {
    await trial.restart();
    for (let kill = 0; kill < kills && trial.complaints.length === 0; kill++)
      for (const point of points) await trial.killOnce(point);
    return { name, ...(await trial.audit()) };
  } finally {
    say(`${name}: ${trial.kills} kills, ${trial.complaints.length} complaints`);
    await trial.service?.kill();
    trial.deployment.remove();
  }
}

class SubmissionTrial extends FormTrial {
  async killOnce(point: string): Promise<void> {
    const { client, origin } = this;
    const made = await Promise.all(KINDS.map((kind) => client.open(origin, kind)));
    this.opened.push(...made);
    // A declined submission before: the killed one is the second attempt of these forms.
    await Promise.all(made.slice(0, 2).map((form) => client.submit(origin, form, { number: DECLINED })));
    const keyOf = ({ transactionId }: OpenForm): string => `submission-${transactionId}`;
    await this.die(point, KINDS.length, (dying) =>
      Promise.all(made.map((form) => client.submit(dying, form, { key: keyOf(form) }))),
    );
    await this.countOpen(made);

    await this.restart();
    for (const form of made) {
      const answer = await client.insist(origin, form, keyOf(form), ANSWER_TIMEOUT_MS);
      if (!answer) this.complaints.push(`${form.transactionId} had no answer after a restart`);
    }
    // The customers go away. What is still open, waits for the resolver.
    await Promise.all(made.map((form) => client.cancel(origin, form)));
    await this.untilResolved();
  }
}
