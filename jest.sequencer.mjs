import { createRequire } from 'node:module';

const { default: Sequencer } = createRequire(import.meta.url)('@jest/test-sequencer');

/** They start processes and take longest: begun last, they would keep one core waiting for the other. */
const LONG = /proofs|bench|process|browser|main\.spec|service\.spec|properties|cluster|silent|contract\.spec/;

/** As jest orders tests, with the long ones first: a fresh checkout has no times to go by, and size says little. */
export default class LongestFirst extends Sequencer {
  sort(tests) {
    const sorted = [...super.sort(tests)];
    return [
      ...sorted.filter(({ path }) => LONG.test(path)),
      ...sorted.filter(({ path }) => !LONG.test(path)),
    ];
  }
}
