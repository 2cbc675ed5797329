import { mergeReports, type NamedReport } from '../audit/deployment.audit.js';
import { roundCount, type Proof } from '../proof.types.js';
import { inParallel } from '../support/concurrency.js';
import { CHALLENGE_KILLS, killDuringChallenges, QUICK_CHALLENGE_KILLS } from './challenge.kills.js';
import { raceForms } from './form.races.js';
import { killDuringSubmissions } from './submission.kills.js';

const POINTS = [
  ...['after-request', 'before-send', 'after-send'],
  ...['after-answer', 'before-outcome', 'after-outcome', 'before-response'],
];
/** The short version tries the points at which money may have moved. */
const QUICK_POINTS = ['after-request', 'after-send', 'before-outcome'];
const CONCURRENCY = 4;

export const forms: Proof = {
  name: 'forms',
  claim:
    'submitted or continued after a challenge twice, at two processes at once or killed at any instant, a hosted form charges its card once (rounds: kills per point, and five times as many races)',
  async run(options) {
    const rounds = roundCount(options, 20, 1);
    const submissions = options.quick ? [QUICK_POINTS] : POINTS.map((point) => [point]);
    const challenges = options.quick ? [QUICK_CHALLENGE_KILLS] : CHALLENGE_KILLS.map((kill) => [kill]);
    const trials: (() => Promise<NamedReport>)[] = [
      ...submissions.map((points) => () => killDuringSubmissions(points, rounds, options)),
      ...challenges.map((kills) => () => killDuringChallenges(kills, rounds, options)),
    ];
    const kills = await inParallel(trials, CONCURRENCY, (trial) => trial());
    return mergeReports([...kills, await raceForms(rounds * 5)]);
  },
};
