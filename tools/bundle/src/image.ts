import { cp, mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { bundle, bundleOf, licensesOf } from './bundle.js';
import { PAGE_SCRIPTS, PROGRAMS } from './programs.js';

/** What operators run in the container (`docs/operations.md`). Nothing else needs their bundles. */
const OPERATOR_PROGRAMS: readonly string[] = [
  'tools/audit/dist/main.js',
  'tools/migrate-events/dist/main.js',
  'tools/rebuild/dist/main.js',
  'tools/tillstream/dist/main.js',
  'tools/vault-keys/dist/main.js',
  'tools/verify/dist/main.js',
];

/** What programs read from the disk, and the parts of SQLite's driver, which has machine code. */
const FILES: readonly string[] = [
  'LICENSE',
  'package.json',
  'apps/api/assets',
  'apps/payment-form/dist',
  'node_modules/swagger-ui-dist/package.json',
  'node_modules/swagger-ui-dist/LICENSE',
  'node_modules/swagger-ui-dist/NOTICE',
  'node_modules/swagger-ui-dist/swagger-ui-bundle.js.LICENSE.txt',
  'node_modules/swagger-ui-dist/swagger-ui.css',
  'node_modules/swagger-ui-dist/swagger-ui-bundle.js',
  'node_modules/swagger-ui-dist/favicon-32x32.png',
  'node_modules/better-sqlite3/package.json',
  'node_modules/better-sqlite3/LICENSE',
  'node_modules/better-sqlite3/lib',
  'node_modules/better-sqlite3/build/Release/better_sqlite3.node',
  'node_modules/bindings',
  'node_modules/file-uri-to-path',
];

/**
 * Writes a folder from which the service and the operators' commands run, on this Node and platform, with nothing else
 * in it. The build has to be complete.
 *
 * @param root the repository
 * @param target a new folder
 */
export async function writeImage(root: string, target: string): Promise<void> {
  const copy = (file: string): Promise<void> => cp(join(root, file), join(target, file), { recursive: true });
  const programs = [...PROGRAMS, ...OPERATOR_PROGRAMS];
  const bundles = programs.map(bundleOf);
  await Promise.all(OPERATOR_PROGRAMS.map((program) => bundle(join(root, program))));
  await Promise.all(
    [
      ...FILES,
      ...PAGE_SCRIPTS.map(({ file }) => file),
      ...bundles,
      ...bundles.map(licensesOf),
      ...programs.map(manifest),
    ].map(copy),
  );
  // The paths of docs/operations.md are those of a checkout.
  await Promise.all(OPERATOR_PROGRAMS.map((program) => writeStart(join(target, program))));
}

/** It says that the program is an ES module; one of them says the version. */
function manifest(program: string): string {
  return `${program.split('/').slice(0, 2).join('/')}/package.json`;
}

async function writeStart(program: string): Promise<void> {
  await mkdir(dirname(program), { recursive: true });
  await writeFile(program, "import './bundled/main.js';\n");
}
