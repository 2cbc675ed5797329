import { readFile } from 'node:fs/promises';
import { relative } from 'node:path';
import type { Plugin } from 'esbuild';

const OURS = /\/(?:apps|libs|tools)\/[^/]+\/dist\/.*\.js$/;
const ADDRESS = /\bimport\.meta\.url\b/g;

/**
 * Keeps `import.meta.url` of this repository's modules, by which they find their files (threads, pages, package.json). The
 * bundle has it relative to its own address, so that both can be moved together.
 *
 * @param folder absolute folder of the bundle
 */
export function keepModuleAddresses(folder: string): Plugin {
  return {
    name: 'keep module addresses',
    setup({ onLoad }) {
      onLoad({ filter: OURS }, async ({ path }) => {
        const source = await readFile(path, 'utf8');
        const address = `new URL(${JSON.stringify(relative(folder, path))}, import.meta.url).href`;
        return { contents: source.replace(ADDRESS, address), loader: 'js' };
      });
    },
  };
}
