import { roundCount, type Proof } from '../proof.types.js';
import { longDeadlines, newDeployment } from '../support/deployment.js';
import { KeyRotationTrial } from './key-rotation.trial.js';

const TERMINALS = 16;

export const keyRotation: Proof = {
  name: 'key-rotation',
  claim:
    'a rotation of the master key, killed at any moment and run again, disturbs no payment and loses no card (rounds)',
  async run(options) {
    const { quick, say } = options;
    const rounds = roundCount(options, 10, 1);
    const deployment = newDeployment(TERMINALS, longDeadlines(10_000));
    const trial = await KeyRotationTrial.start(deployment);
    try {
      await trial.load.storeCards(quick ? 60 : 2_000);
      say(`${trial.load.tokens.length} cards are stored`);
      trial.load.start(quick ? 20 : 50);
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
      const { load, kills, rotations, payments, complaints } = trial;
      const operations = load.answered.size;
      return {
        complaints: [...complaints, ...load.failures],
        figures: { rotations, kills, operations, 'cards in the end': load.tokens.length, payments },
      };
    } finally {
      await trial.stop();
      deployment.remove();
    }
  },
};
