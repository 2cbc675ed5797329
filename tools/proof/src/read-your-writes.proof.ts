import { PROJECTIONS } from '@tillstream/read-models';
import { inLanes } from './lanes.js';
import { MerchantCalls } from './merchant.calls.js';
import { roundsOf, type Findings, type Proof, type ProofOptions } from './proof.js';
import { startPair } from './service.pair.js';
import { factsOf, newSite, terminalsOf, type Site } from './site.js';
import { endOf, runTool } from './tool.process.js';
import { WritingLane } from './writing.lane.js';
import { WrittenChecks } from './written.checks.js';

const CLIENTS = 12;
const MOST_MISSES = 100;

export const readYourWrites: Proof = {
  name: 'read-your-writes',
  claim:
    'what one process answered for is in every list of another at once, also while all lists are rebuilt (rounds: checks)',
  async run(options: ProofOptions): Promise<Findings> {
    const wanted = roundsOf(options, 10_000, 200);
    const site = newSite({ terminals: CLIENTS });
    const { processes, stop } = await startPair(site);
    const calls = new MerchantCalls(factsOf(site));
    const checks = new WrittenChecks(calls);
    const rebuilds = new Rebuilds(site);
    const [one, other] = processes;
    const since = performance.now();
    try {
      const rebuilding = rebuilds.untilStopped();
      const terminals = terminalsOf(site).slice(0, CLIENTS);
      let told = 0;
      await inLanes(terminals, CLIENTS, async (terminal) => {
        const lane = new WritingLane(calls, checks, [one.origin, other.origin], terminal);
        while (checks.checks < wanted && checks.misses.length < MOST_MISSES) {
          await lane.round();
          if (checks.checks < told + 1_000) continue;
          told = checks.checks;
          options.say(`${told} checks, ${checks.misses.length} misses, ${rebuilds.swaps} swaps`);
        }
      });
      const seconds = (performance.now() - since) / 1_000;
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
      site.remove();
    }
  },
};

/** Makes all lists anew, one after the other, over and over, in processes of their own. */
class Rebuilds {
  swaps = 0;
  readonly complaints: string[] = [];
  private stopped = false;

  constructor(private readonly site: Site) {}

  async untilStopped(): Promise<void> {
    while (!this.stopped) {
      for (const projection of PROJECTIONS) {
        const run = await runTool(this.site, 'rebuild', ['--projection', projection]);
        if (run.code === 0) this.swaps++;
        else this.complaints.push(`rebuild of ${projection}: ${endOf(run)}`);
        if (this.stopped && this.swaps > 0) return;
      }
    }
  }

  stop(): void {
    this.stopped = true;
  }
}
