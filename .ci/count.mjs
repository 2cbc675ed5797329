// Prints the last line of .ci/run, from the number of steps that failed and the result files of jest.
import { readFileSync } from 'node:fs';

const [others, ...files] = process.argv.slice(2);
let passed = 0;
let failed = Number(others);
for (const file of files) {
  try {
    const result = JSON.parse(readFileSync(file, 'utf8'));
    passed += result.numPassedTests;
    // The step of the tests failed because of these tests: they are counted instead of the step.
    const inTests = result.numFailedTests + result.numRuntimeErrorTestSuites;
    if (inTests > 0) failed += inTests - 1;
  } catch {
    failed = Math.max(failed, 1);
  }
}
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed > 0 ? 1 : 0;
