import { PROJECTIONS } from '@tillstream/read-models';
import { inParallel } from '../support/concurrency.js';
import { ApiClient } from '../support/api.client.js';
import { roundCount, type Findings, type Proof, type ProofOptions } from '../proof.types.js';
import { startPair } from '../processes/service.pair.js';
import { sandboxFacts, newDeployment, terminalIds, type Deployment } from '../support/deployment.js';
import { describeRun, runTool } from '../processes/tool.process.js';
import { WritingClient } from './writing.client.js';
import { ListChecks } from './list.checks.js';

const CLIENTS = 12;
const MISSES_MAX = 100;

export const readYourWrites: Proof = {
  name: 'read-your-writes',
  claim:
    'what one process has answered is at once in every list of another, also during rebuilds (rounds: checks)',
  async run(options: ProofOptions): Promise<Findings> {
    const wanted = roundCount(options, 10_000, 200);
    const deployment = newDeployment({ terminals: CLIENTS });
    const { processes, stop } = await startPair(deployment);
    const calls = new ApiClient(sandboxFacts(deployment));
    const checks = new ListChecks(calls);
    const rebuilds = new Rebuilds(deployment);
    const [one, other] = processes;
    const startedAt = performance.now();
    try {
      const rebuilding = rebuilds.untilStopped();
      const terminals = terminalIds(deployment).slice(0, CLIENTS);
      let reported = 0;
      await inParallel(terminals, CLIENTS, async (terminal) => {
        const lane = new WritingClient(calls, checks, [one.origin, other.origin], terminal);
        while (checks.checks < wanted && checks.misses.length < MISSES_MAX) {
          await lane.round();
          if (checks.checks < reported + 1_000) continue;
          reported = checks.checks;
          options.say(`${reported} checks, ${checks.misses.length} misses, ${rebuilds.swaps} swaps`);
        }
      });
      const seconds = (performance.now() - startedAt) / 1_000;
      rebuilds.stop();
      await rebuilding;
      return {
        complaints: [...checks.misses, ...rebuilds.complaints],
        figures: {
          checks: checks.checks,
          misses: checks.misses.length,
          swaps: rebuilds.swaps,
          'checks a second': Math.round(checks.checks / seconds),
        },
      };
    } finally {
      rebuilds.stop();
      await stop();
      deployment.remove();
    }
  },
};

/** Rebuilds all lists, one after the other, again and again. */
class Rebuilds {
  swaps = 0;
  readonly complaints: string[] = [];
  private stopped = false;

  constructor(private readonly deployment: Deployment) {}

  async untilStopped(): Promise<void> {
    while (!this.stopped) {
      for (const projection of PROJECTIONS) {
        const run = await runTool(this.deployment, 'rebuild', ['--projection', projection]);
        if (run.code === 0) this.swaps++;
        else this.complaints.push(`rebuild of ${projection}: ${describeRun(run)}`);
        if (this.stopped && this.swaps > 0) return;
      }
    }
  }

  stop(): void {
    this.stopped = true;
  }
}
