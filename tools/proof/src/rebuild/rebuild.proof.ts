import { setTimeout } from 'node:timers/promises';
import { roundCount, type Proof } from '../proof.types.js';
import { RebuildTrial, RETIRED_GENERATION_MS } from './rebuild.trial.js';
import { longDeadlines, newDeployment } from '../support/deployment.js';

const TERMINALS = 48;
export const rebuild: Proof = {
  name: 'rebuild',
  claim:
    'lists are rebuilt under load without a gap, and a killed rebuild or service leaves nothing behind (rounds: kills)',
  async run(options) {
    const { quick, say } = options;
    const kills = roundCount(options, 20, 2);
    const deployment = newDeployment(TERMINALS, {
      ...longDeadlines(quick ? 1_500 : 5_000),
      LATE_CHECKS_MS: '300',
    });
    const perSecond = quick ? 40 : 200;
    // In the tests, other specs use the cores too.
    const trial = await RebuildTrial.start(deployment, quick ? 5_000 : 1_000);
    try {
      await trial.load.make(quick ? 100 : 5_000);
      say(`${trial.load.answered.size} operations are there`);
      const [startedAt, before] = [performance.now(), trial.load.answered.size];
      trial.load.start(perSecond);
      trial.reads.start();
      await trial.rebuild();
      for (let kill = 0; kill < kills; kill++) {
        await trial.rebuildKilled();
        if (kill % 5 !== 4) continue;
        await trial.rebuild();
        say(`${trial.kills} kills, ${trial.swaps.length} swaps${trial.lastComplaint}`);
      }
      await trial.rebuild();
      const seconds = (performance.now() - startedAt) / 1_000;
      const written = trial.load.answered.size - before;
      await trial.load.stop();
      if (!quick) await trial.check();
      for (let kill = 0; kill < (quick ? 1 : 6); kill++) await trial.killService(perSecond, !quick);
      say(`${trial.serviceKills} services killed, taken over in ${trial.slowestTakeOverMs} ms at most`);
      await trial.reads.stop();
      await trial.check();
      if (!quick) await setTimeout(RETIRED_GENERATION_MS + 6_000);
      await trial.checkLeftoverFiles();
      await trial.checkListings();
      const { load, reads } = trial;
      return {
        complaints: [...trial.complaints, ...load.failures, ...reads.failures],
        figures: {
          operations: load.answered.size,
          'writes a second': Math.round(written / seconds),
          swaps: trial.swaps.length,
          kills: trial.kills,
          'services killed': trial.serviceKills,
          'taken over after ms': trial.slowestTakeOverMs,
          reads: reads.count,
          'failed reads': reads.failures.length,
          'slowest read ms': reads.slowestMs,
          'one rebuild ms': trial.rebuildMs,
        },
      };
    } finally {
      await trial.stop();
      deployment.remove();
    }
  },
};
