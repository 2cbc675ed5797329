// Prints the last line of .ci/run, from jest's result file and the number of steps that failed.
import { readFileSync } from 'node:fs';

const [file, others] = process.argv.slice(2);
const failedSteps = Number(others);
let passed = 0;
let failed = failedSteps;
try {
  const result = JSON.parse(readFileSync(file, 'utf8'));
  passed = result.numPassedTests;
  // The step of the tests failed because of these tests: they are counted instead of the step.
  const inTests = result.numFailedTests + result.numRuntimeErrorTestSuites;
  if (inTests > 0) failed = failedSteps - 1 + inTests;
} catch {
  failed = Math.max(failed, 1);
}
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed > 0 ? 1 : 0;
