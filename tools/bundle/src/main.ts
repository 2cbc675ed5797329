import { bundle } from './bundle.js';
import { PROGRAMS } from './programs.js';

/* Part of `npm run build`. Runs in the root of the repository after the compiler. */

try {
  await Promise.all(PROGRAMS.map((program) => bundle(program)));
} catch (error) {
  process.stderr.write(`The programs could not be bundled. ${String(error)}\n`);
  process.exitCode = 1;
}
