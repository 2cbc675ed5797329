import { setTimeout } from 'node:timers/promises';
import { CARDS } from '@tillstream/sandbox';
import { roundCount, type Proof } from '../proof.types.js';
import { APPROVED } from '../forms/form.client.js';
import { SecretsEvidence } from './secrets.evidence.js';
import { SecretsTrial } from './secrets.trial.js';
import { newDeployment } from '../support/deployment.js';

const TERMINALS = 4;
/** Numbers that the sandbox does not know, as a clerk may type by mistake. */
const UNKNOWN_NUMBERS = ['4111111111111111', '30569309025904', '6304000000000000000'];
const NUMBERS = [...CARDS.map(({ number }) => number), ...UNKNOWN_NUMBERS];
const FORM_NUMBERS = CARDS.filter(({ only }) => only !== 'Terminal').map(({ number }) => number);
const TERMINAL_NUMBERS = CARDS.filter(({ only }) => only !== 'Form').map(({ number }) => number);

export const secrets: Proof = {
  name: 'secrets',
  claim:
    'no file, log or response ever has a card number, a person in the clear or a destroyed key (rounds: all cards, used)',
  least: { 'destroyed secrets': 11, erased: 2, submissions: 6 },
  async run(options) {
    const rounds = roundCount(options, 8, 1);
    const deployment = newDeployment(TERMINALS, { LOG_LEVEL: 'trace' });
    const evidence = new SecretsEvidence(deployment.dataDir, NUMBERS);
    const trial = new SecretsTrial(deployment, evidence);
    try {
      await trial.start();
      for (let round = 0; round < rounds; round++) {
        const killing = killRepeatedly(trial, options.quick ? 1 : 3);
        await trial.useCards(TERMINAL_NUMBERS);
        await Promise.all([
          trial.sendCardNumbers(randomSample(NUMBERS, options.quick ? 2 : 5)),
          trial.useForms(options.quick ? [APPROVED, ...randomSample(FORM_NUMBERS, 3)] : FORM_NUMBERS),
          trial.rotate(),
        ]);
        await trial.end();
        await killing;
        options.say(
          `round ${round + 1} of ${rounds}: ${trial.kills} kills, ${trial.complaints.length} complaints`,
        );
      }
      await trial.stop();
      const complaints = [...trial.complaints, ...evidence.complaints()];
      const { kills, rotations, misplaced, submissions } = trial;
      return { complaints, figures: { kills, rotations, misplaced, submissions, ...evidence.figures } };
    } finally {
      await trial.stop();
      deployment.remove();
    }
  },
};

function randomSample(numbers: readonly string[], count: number): string[] {
  return [...numbers].sort(() => Math.random() - 0.5).slice(0, count);
}

async function killRepeatedly(trial: SecretsTrial, times: number): Promise<void> {
  for (let time = 0; time < times; time++) {
    await setTimeout(500 + Math.random() * 2_000);
    await trial.kill();
  }
}
