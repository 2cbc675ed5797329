import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

/** Where `jest.resolver.cjs` looks. */
const FOLDER = fileURLToPath(new URL('node_modules/.cache/jest-packages', import.meta.url));
const INDEX = join(FOLDER, 'index.json');

/** All that sources and specs import from packages of very many modules. */
const IMPORTED = [
  '@nestjs/common',
  '@nestjs/common/constants.js',
  '@nestjs/common/enums/route-paramtypes.enum.js',
  '@nestjs/core',
  '@nestjs/cqrs',
  '@nestjs/platform-express',
  '@nestjs/swagger',
  'class-validator',
  'kysely',
  'rxjs',
];
/** What these packages use of others, in modules without state. */
const WITHIN = [
  '@nestjs/mapped-types',
  'es-toolkit',
  'iterare',
  'js-yaml',
  'libphonenumber-js',
  'path-to-regexp',
  'tslib',
  'uid',
  'validator',
];

/**
 * Bundles the packages of which a spec of the API would load 1,800 modules: jest loads each module of a package again for
 * each spec file, which was half of the processor time of a usual one. Does nothing if the bundles are there.
 */
export async function bundlePackages() {
  const key = hashOf('package-lock.json', 'jest.packages.mjs');
  if (existsSync(INDEX) && JSON.parse(readFileSync(INDEX, 'utf8')).key === key) return;
  mkdirSync(FOLDER, { recursive: true });
  const folder = mkdtempSync(join(FOLDER, `${key}-`));
  const names = IMPORTED.map((specifier) => specifier.replace(/^@|\.js$/g, '').replaceAll('/', '-'));
  await build({
    entryPoints: Object.fromEntries(names.map((name, index) => [name, IMPORTED[index]])),
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    // A module that several entries have stays one module.
    splitting: true,
    format: 'esm',
    platform: 'neutral',
    target: 'node20',
    conditions: ['import', 'es2015', 'module'],
    mainFields: ['es2015', 'module', 'main'],
    // NestJS tells classes apart by their names.
    keepNames: true,
    plugins: [{ name: 'other packages', setup: leaveOtherPackages }],
    logLevel: 'error',
  });
  const files = Object.fromEntries(
    names.map((name, index) => [IMPORTED[index], join(folder, `${name}.mjs`)]),
  );
  // Other processes see the old index or the new one.
  const written = `${INDEX}.${process.pid}`;
  writeFileSync(written, JSON.stringify({ key, files }));
  renameSync(written, INDEX);
}

function leaveOtherPackages({ onResolve }) {
  const bundled = new Set([...IMPORTED, ...WITHIN].map(packageOf));
  onResolve({ filter: /^[^./]/ }, ({ path }) =>
    bundled.has(packageOf(path)) ? undefined : { path, external: true },
  );
}

function packageOf(specifier) {
  return /^(@[^/]+\/)?[^/]+/.exec(specifier)[0];
}

function hashOf(...files) {
  const hash = createHash('sha256');
  for (const file of files) hash.update(readFileSync(new URL(file, import.meta.url)));
  return hash.digest('hex').slice(0, 16);
}
