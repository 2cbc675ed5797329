import { mkdir } from 'node:fs/promises';
import { basename, dirname, join, resolve, sep } from 'node:path';
import { build } from 'esbuild';
import { ownModules } from './own.modules.js';
import { replace } from './replaced.file.js';
import { thirdPartyLicenses } from './third-party.licenses.js';

/** Optional modules that the HTTP framework and the driver of PostgreSQL try to load and can do without. */
const OPTIONAL_MODULES = [
  '@fastify/static',
  '@nestjs/microservices',
  '@nestjs/websockets',
  'class-transformer/storage',
  'pg-native',
];

/** CommonJS modules call `require`, which an ES module does not have. */
const REQUIRE =
  "import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(import.meta.url);";

/**
 * Path of the bundle of a compiled program, right under `dist`: `dist/bundled/main.js` for `dist/main.js`. Of deeper folders
 * of `dist` Nx removes what the build did not make, when it restores a build from its cache.
 */
export function bundleOf(program: string): string {
  const [project = ''] = program.split(`${sep}dist${sep}`);
  return join(project, 'dist', 'bundled', basename(program));
}

/** Path of the licences of the third-party packages in a bundle. */
export function licensesOf(bundleFile: string): string {
  return `${bundleFile}.THIRD-PARTY-LICENSES.txt`;
}

/**
 * Bundles a program with all that it imports. Writes beside the bundle: its source map and the licences of its third-party
 * packages. Rejects if a module can't be found or read; an older bundle stays then. Nx decides whether a bundle has to be
 * made again (`bundle` in nx.json).
 *
 * @param program a compiled module, absolute or from the working directory
 */
export async function bundle(program: string): Promise<void> {
  const file = resolve(bundleOf(program));
  const folder = dirname(file);
  const { outputFiles, metafile } = await build({
    entryPoints: [program],
    outfile: file,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    external: OPTIONAL_MODULES,
    banner: { js: REQUIRE },
    plugins: [ownModules(folder)],
    // Halves the bytes to read and to keep in memory. The names of functions stay, for the stacks in the log.
    minifyWhitespace: true,
    // `node --enable-source-maps` finds the sources by their path.
    sourcemap: 'linked',
    sourcesContent: false,
    legalComments: 'external',
    logLevel: 'silent',
    metafile: true,
    write: false,
  });
  const modules = Object.keys(metafile.inputs).map((input) => resolve(input));
  const legalComments = outputFiles.find(({ path }) => path.endsWith('.LEGAL.txt'))?.text ?? '';
  await mkdir(folder, { recursive: true });
  for (const { path, contents } of outputFiles)
    if (!path.endsWith('.LEGAL.txt')) await replace(path, contents);
  await replace(licensesOf(file), await thirdPartyLicenses(modules, legalComments));
}
