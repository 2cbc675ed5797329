import { readFileSync } from 'node:fs';
import { describeRun, type ToolRun } from '../processes/tool.process.js';
import type { ApiClient } from '../support/api.client.js';
import { poll } from '../support/concurrency.js';
import { COMPARED_MAX, type CheckParts } from './drill.types.js';

const FINISHED_WITHIN_MS = 90_000;

/** Cards that were removed after the copy can't be used again after a restore, also those that were being stored meanwhile. */
export class RemovalsCheck {
  constructor(
    private readonly file: string,
    private readonly parts: CheckParts,
  ) {}

  /** @param since real time, RFC 3339 */
  async list(since: string): Promise<void> {
    const run = await this.parts.tool('removals', 'list', '--since', since, '--out', this.file);
    if (run.code !== 0) throw new Error(`the list of removals: ${describeRun(run)}`);
  }

  /** Exit code 1: the copy has cards whose creation is not finished. Only the started service finds their outcome. */
  async repeatBeforeStart(): Promise<void> {
    const run = await this.repeat();
    const unfinished = unfinishedOf(run);
    if (run.code !== 0 && unfinished === 0) throw new Error(`the removals: ${describeRun(run)}`);
    this.parts.figures['removals unfinished before the start'] = unfinished;
  }

  async repeatUntilFinished(origin: string, api: ApiClient): Promise<void> {
    const last = await poll(
      () => this.repeat(),
      (run) => unfinishedOf(run) === 0,
      FINISHED_WITHIN_MS,
      500,
    );
    this.parts.check(last.code === 0, `the removals after the start: ${describeRun(last)}`);
    const ids = readFileSync(this.file, 'utf8').match(/pmt_tkn_\w+/g) ?? [];
    for (const paymentMethodId of ids.slice(0, COMPARED_MAX)) {
      const body = { paymentMethodId, amount: 100 };
      const response = await api.send(origin, 'POST', '/v1/transactions/token-sale', { body });
      const complaint = `${paymentMethodId} was removed, and a sale got ${response?.status}`;
      this.parts.check(response?.status === 404, complaint);
    }
    this.parts.figures['removals repeated'] = ids.length;
  }

  private repeat(): Promise<ToolRun> {
    return this.parts.tool('removals', 'repeat', this.file);
  }
}

const unfinishedOf = ({ code, output }: ToolRun): number =>
  code === 1 ? Number(/(\d+) were NOT removed/.exec(output)?.[1] ?? 0) : 0;
