import { bundle } from './bundle.js';
import { bundlePageScript } from './page.script.js';
import { PAGE_SCRIPTS, PROGRAMS } from './programs.js';

/* `node tools/bundle/dist/main.js FOLDER`: bundles the programs and scripts of the package in this folder, after its build. */

const folder = process.argv[2] ?? '';
const programs = PROGRAMS.filter((program) => program.startsWith(`${folder}/`));
const scripts = PAGE_SCRIPTS.filter(({ entry }) => entry.startsWith(`${folder}/`));
try {
  if (programs.length + scripts.length === 0)
    throw new Error(`No program or script of '${folder}' is in programs.ts.`);
  await Promise.all([
    ...programs.map((program) => bundle(program)),
    ...scripts.map((script) => bundlePageScript(folder, script)),
  ]);
} catch (error) {
  process.stderr.write(`The programs could not be bundled. ${String(error)}\n`);
  process.exitCode = 1;
}
