import { createRequire } from 'node:module';

const { default: Sequencer } = createRequire(import.meta.url)('@jest/test-sequencer');

/** Specs that take longest. One that started last would keep the other cores waiting. */
const LONGEST = [
  /open-read-models|damaged\.lists|delivery-store|openapi\/service|bank\.http|first-start|machines|merged-ranges\.query|(postgres|sqlite)[.-](vault|ports)/,
  /replay-of-many|bench|published|tour|process|worked-month|planted|audit|idempotency|unknown-outcomes\.http|projector\.thread/,
  /\.browser\.|main\.e2e|boundaries|architecture|properties|cluster|silent|contract\.spec/,
];

/** Jest's order, with the longest specs first. A fresh checkout has no durations of earlier runs, and file sizes are no measure. */
export default class LongestFirst extends Sequencer {
  sort(tests) {
    const sorted = [...super.sort(tests)];
    const rank = ({ path }) => {
      const found = LONGEST.findIndex((pattern) => pattern.test(path));
      return found < 0 ? LONGEST.length : found;
    };
    // A stable sort: it keeps jest's order within a rank.
    return sorted.sort((a, b) => rank(a) - rank(b));
  }
}
