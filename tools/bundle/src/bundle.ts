import { mkdir, readdir, readFile, rename, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, extname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { keepModuleAddresses } from './module.address.js';
import { thirdPartyLicenses } from './third-party.licenses.js';

/** Optional modules that the HTTP framework tries to load and can do without. */
const OPTIONAL_MODULES = [
  '@fastify/static',
  '@nestjs/microservices',
  '@nestjs/websockets',
  'class-transformer/storage',
];

/** CommonJS modules call `require`, which an ES module does not have. */
const REQUIRE =
  "import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(import.meta.url);";

const THIS_MODULE = fileURLToPath(import.meta.url);

/** Path of the bundle of a compiled program: `dist/bundled/main.js` for `dist/main.js`. */
export function bundleOf(program: string): string {
  return join(dirname(program), 'bundled', basename(program));
}

/** Path of the licences of the third-party packages in a bundle. */
export function licensesOf(bundleFile: string): string {
  return `${bundleFile}.THIRD-PARTY-LICENSES.txt`;
}

/**
 * Bundles a program if a module of it is newer than its bundle. Writes beside the bundle: its source map, the licences of
 * its third-party packages and the list of its modules. Resolves with whether it wrote. Rejects if a module can't be found
 * or read; an older bundle stays then.
 *
 * @param program a compiled module, absolute or from the working directory
 */
export async function bundle(program: string): Promise<boolean> {
  const file = resolve(bundleOf(program));
  if (await isFresh(file)) return false;
  const folder = dirname(file);
  const { metafile, outputFiles } = await build({
    entryPoints: [program],
    outfile: file,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    external: OPTIONAL_MODULES,
    banner: { js: REQUIRE },
    plugins: [keepModuleAddresses(folder)],
    // Half the bytes to read and to keep in memory. Names stay, for the stacks in the log.
    minifyWhitespace: true,
    minifySyntax: true,
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
  const inputs = [...modules, ...(await ownModules())];
  await replace(inputListOf(file), JSON.stringify(inputs.map((input) => relative(folder, input))));
  return true;
}

/** The modules of this tool: a changed tool makes other bundles. */
async function ownModules(): Promise<string[]> {
  const folder = dirname(THIS_MODULE);
  const names = await readdir(folder);
  return names.filter((name) => extname(name) === extname(THIS_MODULE)).map((name) => join(folder, name));
}

/** The list has paths from the bundle's folder, so that a copy of the repository has its own inputs. */
function inputListOf(file: string): string {
  return `${file}.inputs.json`;
}

/** Whether all inputs exist and are older than the bundle. */
async function isFresh(file: string): Promise<boolean> {
  try {
    const [list, text] = await Promise.all([
      stat(inputListOf(file)),
      readFile(inputListOf(file), 'utf8'),
      stat(file),
    ]);
    const inputs = JSON.parse(text) as readonly string[];
    const found = await Promise.all(inputs.map((input) => stat(resolve(dirname(file), input))));
    return found.every(({ mtimeMs }) => mtimeMs < list.mtimeMs);
  } catch {
    return false;
  }
}

/** A service that starts meanwhile reads the old file or the new one. */
async function replace(file: string, contents: string | Uint8Array): Promise<void> {
  const temporary = `${file}.${process.pid}`;
  await writeFile(temporary, contents);
  await rename(temporary, file);
}
