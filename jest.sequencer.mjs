import { createRequire } from 'node:module';

const { default: Sequencer } = createRequire(import.meta.url)('@jest/test-sequencer');

/** The longest specs, which start processes. If one started last, the other cores would wait for it. */
const LONG = /bench|process|browser|main\.spec|service\.spec|properties|cluster|silent|contract\.spec/;

/** Jest's order, with the long specs first. A fresh checkout has no durations of earlier runs, and file sizes are no measure. */
export default class LongestFirst extends Sequencer {
  sort(tests) {
    const sorted = [...super.sort(tests)];
    return [
      ...sorted.filter(({ path }) => LONG.test(path)),
      ...sorted.filter(({ path }) => !LONG.test(path)),
    ];
  }
}
