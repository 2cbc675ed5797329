import { KeyRotationTrial } from './key-rotation.trial.js';
import { roundCount, type Findings, type Proof, type ProofOptions } from '../proof.types.js';
import { newDeployment } from '../support/deployment.js';

const TERMINALS = 16;
const WRITES_PER_SECOND = { full: 50, quick: 20 };
/** Long deadlines: a busy machine must not cause unknown outcomes here. */
const LONG_DEADLINES = {
  SEND_WITHIN_MS: '10000',
  PROCESSOR_DEADLINE_MS: '10000',
  TERMINAL_DEADLINE_MS: '10000',
};

export const keyRotation: Proof = {
  name: 'key-rotation',
  claim:
    'a rotation of the master key, killed at any moment and run again, disturbs no payment and loses no card (rounds)',
  async run(options: ProofOptions): Promise<Findings> {
    const { quick, say } = options;
    const rounds = roundCount(options, 10, 1);
    const deployment = newDeployment({ terminals: TERMINALS, environment: LONG_DEADLINES });
    const trial = await KeyRotationTrial.start(deployment);
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
      await trial.payWithAllCards();
      await trial.restart();
      await trial.payWithAllCards();
      await trial.stop();
      trial.checkOldKeysRemoved();
      return { complaints: [...trial.complaints, ...trial.load.failures], figures: trial.figures };
    } finally {
      await trial.stop();
      deployment.remove();
    }
  },
};
