import { KeyRotationTrial } from './key-rotation.trial.js';
import { roundsOf, type Findings, type Proof, type ProofOptions } from './proof.js';
import { newSite } from './site.js';

const TERMINALS = 16;
const WRITES_PER_SECOND = { full: 50, quick: 20 };
/** Deadlines are not what is looked at here: a busy machine must not make unknown outcomes. */
const PATIENT = { SEND_WITHIN_MS: '10000', PROCESSOR_DEADLINE_MS: '10000', TERMINAL_DEADLINE_MS: '10000' };

export const keyRotation: Proof = {
  name: 'key-rotation',
  claim:
    'a rotation of the master key, killed at any moment and run again, disturbs no payment and loses no card (rounds)',
  async run(options: ProofOptions): Promise<Findings> {
    const { quick, say } = options;
    const rounds = roundsOf(options, 10, 1);
    const site = newSite({ terminals: TERMINALS, environment: PATIENT });
    const trial = await KeyRotationTrial.start(site);
    try {
      await trial.load.storeCards(quick ? 60 : 2_000);
      say(`${trial.load.tokens.length} cards are stored`);
      trial.load.start(quick ? WRITES_PER_SECOND.quick : WRITES_PER_SECOND.full);
      await trial.rotate(0);
      for (let round = 0; round < rounds; round++) {
        await trial.rotate(quick ? 2 : 4);
        say(`rotation ${trial.rotations}: ${trial.kills} kills, ${trial.complaints.length} complaints`);
      }
      await trial.load.stop();
      await trial.allPay();
      await trial.restart();
      await trial.allPay();
      await trial.stop();
      trial.oldKeysAreGone();
      return { complaints: [...trial.complaints, ...trial.load.failures], figures: trial.figures };
    } finally {
      await trial.stop();
      site.remove();
    }
  },
};
