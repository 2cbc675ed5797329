import { withHistories } from '../audit/histories.js';
import type { NamedReport } from '../audit/deployment.audit.js';
import { ServiceProcess } from '../processes/service.process.js';
import { randomUpTo } from '../support/concurrency.js';
import { freePort, sandboxFacts, type Deployment } from '../support/deployment.js';
import { FormClient, type OpenForm } from './form.client.js';
import { auditForms } from './forms.check.js';

export const ANSWER_TIMEOUT_MS = 60_000;
export const RESOLUTION_TIMEOUT_MS = 90_000;
const DEATH_TIMEOUT_MS = 30_000;

/** Forms of one deployment whose process dies again and again. */
export class FormTrial {
  service: ServiceProcess | undefined;
  readonly opened: OpenForm[] = [];
  readonly complaints: string[] = [];
  kills = 0;
  /** Forms without an outcome right after the kills. */
  leftOpen = 0;
  private readonly port = freePort();

  constructor(readonly deployment: Deployment) {}

  async restart(): Promise<void> {
    await this.service?.kill();
    this.service = await ServiceProcess.start(this.deployment, { port: await this.port });
  }

  get origin(): string {
    return this.service?.origin ?? '';
  }

  get client(): FormClient {
    return new FormClient(sandboxFacts(this.deployment));
  }

  /**
   * Ends the process, and has another one die while it works.
   *
   * @param work the resolver may reach the point before the service is ready: then it is not called
   */
  async die(point: string, nthMost: number, work: (origin: string) => Promise<unknown>): Promise<void> {
    await this.service?.kill();
    const options = { port: await this.port, crashPoint: `${point}:${randomUpTo(nthMost)}` };
    const crashing = await ServiceProcess.start(this.deployment, options).catch(() => undefined);
    if (!crashing) return;
    await work(crashing.origin);
    const exit = await crashing.exitWithin(DEATH_TIMEOUT_MS);
    if (exit?.signal === 'SIGKILL') this.kills++;
    else this.complaints.push(`it did not die at ${point}: ${crashing.logged}`);
    await crashing.kill();
  }

  async countOpen(forms: readonly OpenForm[]): Promise<void> {
    this.leftOpen += await withHistories(
      this.deployment,
      (histories) =>
        histories.open().filter((id) => forms.some(({ transactionId }) => transactionId === id)).length,
    );
  }

  async untilResolved(): Promise<void> {
    const open = await withHistories(this.deployment, (histories) =>
      histories.waitUntilResolved(RESOLUTION_TIMEOUT_MS),
    );
    this.complaints.push(...open.map((id) => `${id} has no outcome`));
  }

  async audit(): Promise<Omit<NamedReport, 'name'>> {
    await this.service?.stop();
    const audited = await auditForms(this.deployment, this.opened);
    return {
      complaints: [...this.complaints, ...audited.complaints],
      figures: { kills: this.kills, 'left open': this.leftOpen, ...audited.figures },
    };
  }
}
