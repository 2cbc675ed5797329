import { readFile } from 'node:fs/promises';
import { relative } from 'node:path';
import type { Plugin } from 'esbuild';

const OURS = /\/(?:apps|libs|tools)\/[^/]+\/dist\/.*\.js$/;
const ADDRESS = /\bimport\.meta\.url\b/g;

/**
 * A module of ours finds its files (threads, pages, its package.json) by where it lies itself. In a bundle it goes on
 * doing so: its address is told relative to the bundle's, so that both can be moved together.
 *
 * @param folder where the bundle will lie, absolute
 */
export function keepAddresses(folder: string): Plugin {
  return {
    name: 'keep addresses',
    setup({ onLoad }) {
      onLoad({ filter: OURS }, async ({ path }) => {
        const source = await readFile(path, 'utf8');
        const address = `new URL(${JSON.stringify(relative(folder, path))}, import.meta.url).href`;
        return { contents: source.replace(ADDRESS, address), loader: 'js' };
      });
    },
  };
}
