import { bundle } from './bundle.js';
import { PROGRAMS } from './programs.js';

/* Part of `npm run build`, from the root of the repository, after everything was compiled. */

try {
  await Promise.all(PROGRAMS.map((program) => bundle(program)));
} catch (error) {
  process.stderr.write(`The programs could not be bundled. ${String(error)}\n`);
  process.exitCode = 1;
}
