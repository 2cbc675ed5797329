import { mergeReports, type NamedReport } from '../audit/deployment.audit.js';
import { withHistories } from '../audit/histories.js';
import { ServiceProcess, startPair } from '../processes/service.process.js';
import { roundCount, type Proof, type ProofOptions } from '../proof.types.js';
import { inParallel, randomUpTo } from '../support/concurrency.js';
import { freePort, newDeployment, sandboxFacts, type Deployment } from '../support/deployment.js';
import { DECLINED, FormClient, isApproved, progressIn, type FormKind, type OpenForm } from './form.client.js';
import { auditForms } from './forms.check.js';

const POINTS = [
  ...['after-request', 'before-send', 'after-send'],
  ...['after-answer', 'before-outcome', 'after-outcome', 'before-response'],
];
/** Forms in flight at a kill. */
const KINDS: readonly FormKind[] = [
  'Sale',
  'Auth',
  'Sale',
  'TokenCreate',
  'UnreferencedRefund',
  'TokenCreate',
];
const CONCURRENCY = 4;
/** The short version tries the points at which money may have moved. */
const QUICK_POINTS = ['after-request', 'after-send', 'before-outcome'];
const SUBMISSIONS_AT_ONCE = 6;
const DEATH_TIMEOUT_MS = 30_000;
const ANSWER_TIMEOUT_MS = 60_000;
const RESOLUTION_TIMEOUT_MS = 90_000;

export const forms: Proof = {
  name: 'forms',
  claim:
    'submitted twice, at two processes at once or killed at any instant, a hosted form charges its card once (rounds: kills per point, and five times as many races)',
  async run(options) {
    const rounds = roundCount(options, 20, 1);
    const lists = options.quick ? [QUICK_POINTS] : POINTS.map((point) => [point]);
    const kills = await inParallel(lists, CONCURRENCY, (points) => killAt(points, rounds, options));
    return mergeReports([...kills, await race(rounds * 5)]);
  },
};

/** Kills the process during submissions. After a restart every form gets its outcome, and no customer pays twice. */
async function killAt(points: readonly string[], kills: number, { say }: ProofOptions): Promise<NamedReport> {
  const name = points.join(', ');
  const trial = new FormTrial(newDeployment(1));
  try {
    await trial.restart();
    for (let kill = 0; kill < kills && trial.complaints.length === 0; kill++)
      for (const point of points) await trial.killOnce(point);
    return { name, ...(await trial.audit({ kills: trial.kills, 'left open': trial.leftOpen })) };
  } finally {
    say(`${name}: ${trial.kills} kills, ${trial.complaints.length} complaints`);
    await trial.service?.kill();
    trial.deployment.remove();
  }
}

class FormTrial {
  service: ServiceProcess | undefined;
  readonly opened: OpenForm[] = [];
  readonly complaints: string[] = [];
  kills = 0;
  /** Submissions without an outcome right after the kills. */
  leftOpen = 0;
  private readonly port = freePort();

  constructor(readonly deployment: Deployment) {}

  async restart(): Promise<void> {
    await this.service?.kill();
    this.service = await ServiceProcess.start(this.deployment, { port: await this.port });
  }

  async killOnce(point: string): Promise<void> {
    const client = new FormClient(sandboxFacts(this.deployment));
    const origin = this.service?.origin ?? '';
    const made = await Promise.all(KINDS.map((kind) => client.open(origin, kind)));
    this.opened.push(...made);
    // A declined submission before: the killed one is the second attempt of these forms.
    await Promise.all(made.slice(0, 2).map((form) => client.submit(origin, form, { number: DECLINED })));
    await this.service?.kill();
    const keyOf = ({ transactionId }: OpenForm): string => `submission-${transactionId}`;
    await this.submitToDying(point, (dying) =>
      Promise.all(made.map((form) => client.submit(dying, form, { key: keyOf(form) }))),
    );
    this.leftOpen += await withHistories(
      this.deployment,
      (histories) =>
        histories.open().filter((id) => made.some(({ transactionId }) => transactionId === id)).length,
    );

    await this.restart();
    for (const form of made) {
      const answer = await client.insist(origin, form, keyOf(form), ANSWER_TIMEOUT_MS);
      if (!answer) this.complaints.push(`${form.transactionId} had no answer after a restart`);
    }
    // The customers go away. What is still open, waits for the resolver.
    await Promise.all(made.map((form) => client.cancel(origin, form)));
    const open = await withHistories(this.deployment, (histories) =>
      histories.waitUntilResolved(RESOLUTION_TIMEOUT_MS),
    );
    this.complaints.push(...open.map((id) => `${id} has no outcome`));
  }

  /** The resolver may reach the point before the service is ready: the submissions then meet no process. */
  private async submitToDying(point: string, submit: (origin: string) => Promise<unknown>): Promise<void> {
    const options = { port: await this.port, crashPoint: `${point}:${randomUpTo(KINDS.length)}` };
    const crashing = await ServiceProcess.start(this.deployment, options).catch(() => undefined);
    if (!crashing) return;
    await submit(crashing.origin);
    const exit = await crashing.exitWithin(DEATH_TIMEOUT_MS);
    if (exit?.signal === 'SIGKILL') this.kills++;
    else this.complaints.push(`it did not die at ${point}: ${crashing.logged}`);
    await crashing.kill();
  }

  async audit(figures: NamedReport['figures']): Promise<Omit<NamedReport, 'name'>> {
    await this.service?.stop();
    const audited = await auditForms(this.deployment, this.opened);
    return {
      complaints: [...this.complaints, ...audited.complaints],
      figures: { ...figures, ...audited.figures },
    };
  }
}

/** The same form is submitted several times at two processes at once: with keys of their own, as by several windows. */
async function race(rounds: number): Promise<NamedReport> {
  const deployment = newDeployment(1);
  const opened: OpenForm[] = [];
  const complaints: string[] = [];
  const { origins, stop } = await startPair(deployment);
  try {
    const client = new FormClient(sandboxFacts(deployment));
    for (let round = 0; round < rounds; round++) {
      const form = await client.open(origins[0], KINDS[round % KINDS.length] ?? 'Sale');
      opened.push(form);
      const answers = await Promise.all(
        Array.from({ length: SUBMISSIONS_AT_ONCE }, (_, nth) =>
          client.submit(origins[nth % 2] ?? '', form, nth % 3 === 0 ? {} : { key: `window-${nth % 3}` }),
        ),
      );
      const approved = answers.filter((answer) => answer && isApproved(progressIn(answer))).length;
      if (approved === 0) complaints.push(`${form.transactionId} was approved to none of its windows`);
      const shown = await client.transaction(origins[1], form);
      if (shown?.status !== 'Completed')
        complaints.push(`${form.transactionId} is shown as ${shown?.status}`);
    }
    await withHistories(deployment, (histories) => histories.waitUntilResolved(RESOLUTION_TIMEOUT_MS));
  } finally {
    await stop();
  }
  const audited = await auditForms(deployment, opened);
  deployment.remove();
  return {
    name: 'two processes',
    complaints: [...complaints, ...audited.complaints],
    figures: { races: rounds, ...audited.figures },
  };
}
