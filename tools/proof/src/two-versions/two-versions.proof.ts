import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { withHistories } from '../audit/histories.js';
import { ServiceProcess } from '../processes/service.process.js';
import { roundCount, type Findings, type Proof, type ProofOptions } from '../proof.types.js';
import { unansweredRequests } from '../support/client.request.js';
import { poll } from '../support/concurrency.js';
import { freePort, longDeadlines, newDeployment, terminalIds } from '../support/deployment.js';
import { PaymentTrial } from '../support/payment.trial.js';
import { payAtRandom } from '../support/random.payments.js';

/** Names the folder of another version: a checkout of this repository that is built. Left out: this version twice. */
const OTHER_VERSION = 'PROOF_OTHER_VERSION';
const TERMINALS = 6;
const DEADLINE_MS = 3_000;
const RESPONSE_TIMEOUT_MS = 60_000;
const POLL_MS = 50;
const RESOLUTION_TIMEOUT_MS = 120_000;

export const twoVersions: Proof = {
  name: 'two-versions',
  claim: `two instances, the other version and this one, run side by side and replace one another under load, forward and back: no payment is lost or charged twice (rounds: of four replacements; ${OTHER_VERSION} names the folder of the other version)`,
  least: { replacements: 4 },
  async run(options) {
    const deployment = newDeployment(TERMINALS, { ...longDeadlines(DEADLINE_MS), STOP_DELAY_MS: '300' });
    const trial = new VersionsTrial(deployment, otherVersion());
    return trial.run(roundCount(options, 5, 1), options);
  },
};

/** @throws Error if it is no built checkout */
function otherVersion(): string | undefined {
  const folder = process.env[OTHER_VERSION];
  if (folder === undefined || folder === '') return undefined;
  if (!existsSync(join(folder, 'apps/api/dist/bundled/main.js')))
    throw new Error(`${OTHER_VERSION} is "${folder}", where no API is built`);
  return folder;
}

type Version = 'other' | 'this';
/** Which instance is replaced by which version. Both begin with the other version, and each meets the other on the way. */
const REPLACEMENTS: readonly (readonly [instance: 0 | 1, version: Version])[] = [
  [0, 'this'],
  [1, 'this'],
  [0, 'other'],
  [1, 'other'],
];

class VersionsTrial extends PaymentTrial {
  private readonly instances: ServiceProcess[] = [];
  private ports: readonly number[] = [];
  private payments = 0;
  private isOver = false;

  constructor(
    deployment: ReturnType<typeof newDeployment>,
    private readonly otherFolder: string | undefined,
  ) {
    super(deployment);
  }

  async run(rounds: number, { say }: ProofOptions): Promise<Findings> {
    let replacements = 0;
    try {
      this.ports = [await freePort(), await freePort()];
      for (const instance of [0, 1] as const) await this.start(instance, 'other');
      const paying = this.pay();
      for (let round = 0; round < rounds; round++) {
        for (const [instance, version] of REPLACEMENTS) {
          await this.paymentsMore(TERMINALS * 2);
          await this.instances[instance]?.stop();
          await this.start(instance, version);
          replacements++;
          say(`${replacements} of ${rounds * REPLACEMENTS.length} replaced, ${this.payments} payments`);
        }
      }
      await this.paymentsMore(TERMINALS * 2);
      this.isOver = true;
      await paying;
      const left = await withHistories(this.deployment, (histories) =>
        histories.waitUntilNoWorkIsLeft(RESOLUTION_TIMEOUT_MS),
      );
      this.complaints.push(...left.map((what) => `${what} is left over`));
      this.complaints.push(...unansweredRequests(this.requests));
      await this.stop();
      const versions =
        this.otherFolder === undefined ? 'this one twice' : `${this.versionText()} and this one`;
      const { complaints, figures } = await this.audit();
      return { complaints, figures: { versions, replacements, payments: this.payments, ...figures } };
    } finally {
      this.isOver = true;
      await this.stop();
      this.deployment.remove();
    }
  }

  private async start(instance: 0 | 1, version: Version): Promise<void> {
    const root = version === 'other' ? this.otherFolder : undefined;
    const port = this.ports[instance] ?? 0;
    this.instances[instance] = await ServiceProcess.start(this.deployment, {
      port,
      ...(root !== undefined && { root }),
    });
  }

  private async stop(): Promise<void> {
    await Promise.all(this.instances.map((instance) => instance.stop()));
  }

  /** A client that gets no response sends the same request to the other instance, under the same key. */
  private async pay(): Promise<void> {
    const client = this.client(...this.ports.map((port) => `http://127.0.0.1:${port}`));
    await Promise.all(
      terminalIds(this.deployment).map(async (terminal) => {
        while (!this.isOver) {
          await payAtRandom(client, terminal, RESPONSE_TIMEOUT_MS);
          this.payments++;
        }
      }),
    );
  }

  private async paymentsMore(count: number): Promise<void> {
    const wanted = this.payments + count;
    const read = (): Promise<number> => Promise.resolve(this.payments);
    const made = await poll(read, (payments) => payments >= wanted, RESPONSE_TIMEOUT_MS, POLL_MS);
    this.check(made >= wanted, `only ${made} of ${wanted} payments were made in time`);
  }

  private versionText(): string {
    const read = (file: string): string => readFileSync(join(this.otherFolder ?? '', file), 'utf8').trim();
    try {
      const { version } = JSON.parse(read('apps/api/package.json')) as { readonly version: string };
      return `version ${version} of ${this.otherFolder}`;
    } catch {
      return 'another one';
    }
  }
}
