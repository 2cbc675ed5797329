import { mergeReports, type NamedReport } from '../audit/deployment.audit.js';
import { roundCount, type Proof, type ProofOptions } from '../proof.types.js';
import { inParallel } from '../support/concurrency.js';
import { longDeadlines, newDeployment, SHORT_LATE_INQUIRIES } from '../support/deployment.js';
import { BankTrial } from './bank.trial.js';

const DEPLOYMENTS = 3;
/** Short enough that a killed resolver's work is not held for long. */
const DEADLINE_MS = 4_000;
/** After this many kills everything that is due must be done. */
const KILLS_BETWEEN_CHECKS = 10;

export const bankAnswers: Proof = {
  name: 'bank-answers',
  claim:
    "killed while a bank's answers, returns and notices of change are worked off, the service records each once and loses none (rounds: kills)",
  async run(options) {
    const kills = roundCount(options, 120, 2);
    const lanes = options.quick ? 1 : DEPLOYMENTS;
    const shares = Array.from({ length: lanes }, (_, lane) => Math.floor((kills + lane) / lanes));
    return mergeReports(await inParallel(shares, lanes, (share, lane) => killOften(share, lane, options)));
  },
};

async function killOften(kills: number, lane: number, { quick, say }: ProofOptions): Promise<NamedReport> {
  const name = `deployment ${lane + 1}`;
  const settings = { ...longDeadlines(DEADLINE_MS), ...(quick && SHORT_LATE_INQUIRIES) };
  const trial = new BankTrial(newDeployment(1, settings), quick ? 20 : 40);
  try {
    await trial.start();
    for (let kill = 1; kill <= kills && trial.complaints.length === 0; kill++) {
      await trial.killOnce();
      if (kill % KILLS_BETWEEN_CHECKS !== 0) continue;
      await trial.settle();
      say(`${name}: ${kill} of ${kills} kills, ${trial.client.sales.length} sales`);
    }
    return { name, ...(await trial.finish()) };
  } finally {
    await trial.stop();
    trial.deployment.remove();
  }
}
