import { setTimeout } from 'node:timers/promises';
import { roundsOf, type Findings, type Proof, type ProofOptions } from './proof.js';
import { RebuildTrial, RETIRED_FOR_MS } from './rebuild.trial.js';
import { newSite, type Environment } from './site.js';

const TERMINALS = 48;
const WRITES_PER_SECOND = { full: 200, quick: 40 };
/** Deadlines are not what is looked at here: a busy machine must not make unknown outcomes. */
const patient = (ms: number): Environment => ({
  SEND_WITHIN_MS: String(ms),
  PROCESSOR_DEADLINE_MS: String(ms),
  TERMINAL_DEADLINE_MS: String(ms),
  LATE_CHECKS_MS: '300',
});

export const rebuild: Proof = {
  name: 'rebuild',
  claim:
    'lists are rebuilt under load without a gap, and whoever is killed in it leaves nothing behind (rounds: kills)',
  async run(options: ProofOptions): Promise<Findings> {
    const { quick, say } = options;
    const kills = roundsOf(options, 20, 2);
    const site = newSite({ terminals: TERMINALS, environment: patient(quick ? 1_500 : 5_000) });
    const perSecond = quick ? WRITES_PER_SECOND.quick : WRITES_PER_SECOND.full;
    // In the tests other specs use the cores too.
    const trial = await RebuildTrial.start(site, quick ? 5_000 : 1_000);
    try {
      await trial.load.make(quick ? 100 : 5_000);
      say(`${trial.load.answered.size} operations are there`);
      const [since, before] = [performance.now(), trial.load.answered.size];
      trial.load.start(perSecond);
      trial.looks.start();
      await trial.rebuild();
      for (let kill = 0; kill < kills; kill++) {
        await trial.rebuildKilled();
        if (kill % 5 !== 4) continue;
        await trial.rebuild();
        say(`${trial.kills} kills, ${trial.swapped} swaps${trial.lastComplaint}`);
      }
      await trial.rebuild();
      const seconds = (performance.now() - since) / 1_000;
      const written = trial.load.answered.size - before;
      await trial.load.stop();
      if (!quick) await trial.check();
      for (let kill = 0; kill < (quick ? 1 : 6); kill++) await trial.killService(perSecond, !quick);
      say(`${trial.serviceKills} services killed, taken over in ${trial.slowestTakeOverMs} ms at most`);
      await trial.looks.stop();
      await trial.check();
      if (!quick) await setTimeout(RETIRED_FOR_MS + 6_000);
      await trial.leavesNothing();
      await trial.nothingIsMissing();
      const { load, looks } = trial;
      return {
        complaints: [...trial.complaints, ...load.failures, ...looks.failures],
        figures: {
          operations: load.answered.size,
          'writes a second': Math.round(written / seconds),
          swaps: trial.swapped,
          kills: trial.kills,
          'services killed': trial.serviceKills,
          'taken over after ms': trial.slowestTakeOverMs,
          looks: looks.count,
          'failed looks': looks.failures.length,
          'slowest look ms': looks.slowestMs,
          'one rebuild ms': trial.rebuildMs,
        },
      };
    } finally {
      await trial.stop();
      site.remove();
    }
  },
};
