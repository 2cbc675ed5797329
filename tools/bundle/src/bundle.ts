import { mkdir, readdir, readFile, rename, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, extname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { keepAddresses } from './module.address.js';
import { leadingSpreadsAreSlow } from './node.defects.js';

/** Stay where they are. */
const LEFT_OUT = [
  // Nest looks for these and works without them.
  '@fastify/static',
  '@nestjs/microservices',
  '@nestjs/websockets',
  'class-transformer/storage',
];

/** Modules of CommonJS ask for it; a module of the other kind has none. */
const REQUIRE =
  "import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(import.meta.url);";

const THIS_MODULE = fileURLToPath(import.meta.url);

/** What a bundle was made of and by, written beside it. */
interface Making {
  /** What is slow on one Node is another text than on the next. */
  readonly node: string;
  /** From the bundle's folder: a copy of everything has inputs of its own. */
  readonly inputs: readonly string[];
}

/** Where the bundle of a compiled program lies: `dist/bundled/main.js` for `dist/main.js`. */
export function bundleOf(program: string): string {
  return join(dirname(program), 'bundled', basename(program));
}

/**
 * Writes a program and all that it imports as one file, where anything in it is newer than the last one, or that was made
 * on another Node. Resolves with whether it wrote. Rejects where a module can't be found or read; the file that was there
 * stays then.
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
    external: LEFT_OUT,
    banner: { js: REQUIRE },
    plugins: [keepAddresses(folder)],
    // Half the bytes to read and to keep in memory. Names stay: stacks in the log tell them.
    minifyWhitespace: true,
    minifySyntax: true,
    legalComments: 'none',
    logLevel: 'silent',
    metafile: true,
    write: false,
  });
  await mkdir(folder, { recursive: true });
  for (const { path, text } of outputFiles) await replace(path, await fastOnThisNode(text));
  const inputs = [...Object.keys(metafile.inputs).map((input) => resolve(input)), ...(await ownModules())];
  const making: Making = { node: process.version, inputs: inputs.map((input) => relative(folder, input)) };
  await replace(listOf(file), JSON.stringify(making));
  return true;
}

/** A parser takes time to load, so it is only where it is needed. */
async function fastOnThisNode(program: string): Promise<string> {
  if (!leadingSpreadsAreSlow()) return program;
  const { withoutLeadingSpreads } = await import('./leading.spreads.js');
  return withoutLeadingSpreads(program);
}

/** This module and those that it calls: another way to bundle makes another bundle. */
async function ownModules(): Promise<string[]> {
  const folder = dirname(THIS_MODULE);
  const names = await readdir(folder);
  return names.filter((name) => extname(name) === extname(THIS_MODULE)).map((name) => join(folder, name));
}

function listOf(file: string): string {
  return `${file}.inputs.json`;
}

/** What it was made of is all there and older. */
async function isFresh(file: string): Promise<boolean> {
  try {
    const [made, text] = await Promise.all([stat(listOf(file)), readFile(listOf(file), 'utf8'), stat(file)]);
    const { node, inputs } = JSON.parse(text) as Making;
    if (node !== process.version) return false;
    const changed = await Promise.all(inputs.map((input) => stat(resolve(dirname(file), input))));
    return changed.every(({ mtimeMs }) => mtimeMs < made.mtimeMs);
  } catch {
    return false;
  }
}

/** A service that starts meanwhile reads the old one or the new one. */
async function replace(file: string, contents: string | Uint8Array): Promise<void> {
  const beside = `${file}.${process.pid}`;
  await writeFile(beside, contents);
  await rename(beside, file);
}
