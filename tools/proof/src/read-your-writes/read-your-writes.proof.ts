import { PROJECTIONS } from '@tillstream/read-models';
import { startPair } from '../processes/service.process.js';
import { describeRun, runTool } from '../processes/tool.process.js';
import { roundCount, type Proof } from '../proof.types.js';
import { ApiClient } from '../support/api.client.js';
import { inParallel, Repetition } from '../support/concurrency.js';
import { newDeployment, sandboxFacts, terminalIds } from '../support/deployment.js';
import { ListChecks } from './list.checks.js';
import { WritingClient } from './writing.client.js';

const CLIENTS = 12;
const MISSES_MAX = 100;

export const readYourWrites: Proof = {
  name: 'read-your-writes',
  claim:
    'what one process has answered is at once in every list of another, also during rebuilds (rounds: checks)',
  least: { swaps: 1 },
  async run(options) {
    const wanted = roundCount(options, 10_000, 200);
    const deployment = newDeployment(CLIENTS);
    const { origins, stop } = await startPair(deployment);
    const calls = new ApiClient(sandboxFacts(deployment));
    const checks = new ListChecks(calls);
    const complaints: string[] = [];
    let rebuilt = 0;
    let swaps = 0;
    const startedAt = performance.now();
    // All lists, one after the other, again and again.
    const rebuilds = new Repetition(async () => {
      const projection = PROJECTIONS[rebuilt++ % PROJECTIONS.length] ?? '';
      const run = await runTool(deployment, 'rebuild', ['--projection', projection]);
      if (run.code === 0) swaps++;
      else complaints.push(`rebuild of ${projection}: ${describeRun(run)}`);
    });
    try {
      let reported = 0;
      await inParallel(terminalIds(deployment), CLIENTS, async (terminal) => {
        const lane = new WritingClient(calls, checks, origins, terminal);
        while (checks.checks < wanted && checks.misses.length < MISSES_MAX) {
          await lane.round();
          if (checks.checks < reported + 1_000) continue;
          reported = checks.checks;
          options.say(`${reported} checks, ${checks.misses.length} misses, ${swaps} swaps`);
        }
      });
      const seconds = (performance.now() - startedAt) / 1_000;
      await rebuilds.stop();
      return {
        complaints: [...checks.misses, ...complaints],
        figures: {
          checks: checks.checks,
          misses: checks.misses.length,
          swaps,
          'checks a second': Math.round(checks.checks / seconds),
        },
      };
    } finally {
      await rebuilds.stop();
      await stop();
      deployment.remove();
    }
  },
};
