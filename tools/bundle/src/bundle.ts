import { mkdir, rename, writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { build } from 'esbuild';
import { keepAddresses } from './module.address.js';
import { leadingSpreadsAreSlow } from './node.defects.js';

/** Stay where they are. */
const LEFT_OUT = [
  // The HTTP framework looks for these and does without.
  '@nestjs/microservices',
  '@nestjs/websockets',
  'class-transformer/storage',
];

/** Modules of CommonJS ask for it; a module of the other kind has none. */
const REQUIRE =
  "import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(import.meta.url);";

/** Where the bundle of a compiled program lies: `dist/bundled/main.js` for `dist/main.js`. */
export function bundleOf(program: string): string {
  return join(dirname(program), 'bundled', basename(program));
}

/**
 * Writes a program and all that it imports as one file. Rejects if a module can't be found or read; the previous file
 * stays then. Nx decides whether a bundle has to be made again (`bundle` in nx.json).
 *
 * @param program a compiled module, absolute or from the working directory
 */
export async function bundle(program: string): Promise<void> {
  const file = resolve(bundleOf(program));
  const folder = dirname(file);
  const { outputFiles } = await build({
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
    write: false,
  });
  await mkdir(folder, { recursive: true });
  for (const { path, text } of outputFiles) await replace(path, await fastOnThisNode(text));
}

/** A parser takes time to load, so it is only where it is needed. */
async function fastOnThisNode(program: string): Promise<string> {
  if (!leadingSpreadsAreSlow()) return program;
  const { withoutLeadingSpreads } = await import('./leading.spreads.js');
  return withoutLeadingSpreads(program);
}

/** A service that starts meanwhile reads the old one or the new one. */
async function replace(file: string, contents: string | Uint8Array): Promise<void> {
  const beside = `${file}.${process.pid}`;
  await writeFile(beside, contents);
  await rename(beside, file);
}
