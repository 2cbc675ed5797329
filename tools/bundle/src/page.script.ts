import { mkdir, readFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { build } from 'esbuild';
import { replace } from './replaced.file.js';

/** A script for a `<script>` tag in pages of others. */
export interface PageScript {
  /** A compiled module. */
  readonly entry: string;
  readonly file: string;
  /** The variable that gets the exports of the module. */
  readonly global: string;
}

/**
 * Bundles a module with all that it imports into one minified script. An older script stays if a module can't be read.
 *
 * @param folder of the package, whose name, version and licence are the first line of the script
 */
export async function bundlePageScript(folder: string, { entry, file, global }: PageScript): Promise<void> {
  const { name, version, license } = JSON.parse(
    await readFile(join(folder, 'package.json'), 'utf8'),
  ) as Readonly<Record<string, string>>;
  const target = resolve(file);
  const { outputFiles } = await build({
    entryPoints: [entry],
    outfile: target,
    bundle: true,
    platform: 'browser',
    format: 'iife',
    globalName: global,
    target: 'es2020',
    minify: true,
    banner: { js: `/*! ${name} ${version} | ${license} */` },
    logLevel: 'silent',
    write: false,
  });
  await mkdir(dirname(target), { recursive: true });
  for (const { path, contents } of outputFiles) await replace(path, contents);
}
