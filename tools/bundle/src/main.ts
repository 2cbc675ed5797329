import { bundle } from './bundle.js';
import { PROGRAMS } from './programs.js';

/* `node tools/bundle/dist/main.js FOLDER`: bundles the programs of the package in this folder, after its build. */

const folder = process.argv[2] ?? '';
const programs = PROGRAMS.filter((program) => program.startsWith(`${folder}/`));
try {
  if (programs.length === 0) throw new Error(`No program of '${folder}' is in programs.ts.`);
  await Promise.all(programs.map((program) => bundle(program)));
} catch (error) {
  process.stderr.write(`The programs could not be bundled. ${String(error)}\n`);
  process.exitCode = 1;
}
