import { readFile } from 'node:fs/promises';
import { relative } from 'node:path';
import type { Plugin } from 'esbuild';
import { leadingSpreadsAreSlow, withoutLeadingSpreads } from './leading.spreads.js';

const OURS = /\/(?:apps|libs|tools)\/[^/]+\/dist\/.*\.js$/;
const ADDRESS = /\bimport\.meta\.url\b/g;

/**
 * Loads this repository's modules. `import.meta.url`, by which they find their files (threads, pages, package.json), stays
 * the address of the module: the bundle has it relative to its own address, so that both can be moved together. On Node 20
 * literals that begin with a spread are changed (`leading.spreads.ts`).
 *
 * @param folder absolute folder of the bundle
 */
export function ownModules(folder: string): Plugin {
  return {
    name: 'own modules',
    setup({ onLoad }) {
      onLoad({ filter: OURS }, async ({ path }) => {
        const source = await readFile(path, 'utf8');
        const address = `new URL(${JSON.stringify(relative(folder, path))}, import.meta.url).href`;
        const contents = source.replace(ADDRESS, address);
        return {
          contents: leadingSpreadsAreSlow() ? withoutLeadingSpreads(contents) : contents,
          loader: 'js',
        };
      });
    },
  };
}
