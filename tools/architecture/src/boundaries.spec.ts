import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ESLint } from 'eslint';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const eslint = new ESLint({ cwd: root, overrideConfigFile: 'eslint.boundaries.mjs' });

interface Config {
  readonly rules: {
    readonly '@nx/enforce-module-boundaries': [
      severity: number,
      options: { readonly depConstraints: readonly { readonly sourceTag: string }[] },
    ];
  };
}

/** The linter's messages about this text in this file of the workspace. */
async function messages(filePath: string, text: string): Promise<string[]> {
  const [result] = await eslint.lintText(text, { filePath: join(root, filePath) });
  return (result?.messages ?? []).map(({ message }) => message);
}

/* eslint.boundaries.mjs on the real workspace: its projects, their tags and Nx's graph of them. */
describe('Package boundaries:', () => {
  it.each([
    ['libs/domain/src/index.ts', '@tillstream/event-store', 'domain imports nothing'],
    ['libs/contracts/src/index.ts', '@tillstream/domain', 'contracts import nothing'],
    ['libs/event-store/src/index.ts', '@tillstream/domain', 'the store knows no domain'],
    ['libs/payments/src/index.ts', '@tillstream/event-store-sqlite', 'use cases know no adapter'],
    ['libs/payments/src/index.ts', '@tillstream/contracts', 'use cases know no public shape'],
    ['libs/presentation/src/index.ts', '@tillstream/event-store', 'presentation maps, it does not read'],
    ['libs/vault/src/index.ts', '@tillstream/domain', 'the vault knows no other library'],
    [
      'libs/event-store-sqlite/src/index.ts',
      '@tillstream/event-store-testing',
      'sources have no test library',
    ],
    ['libs/domain/src/index.ts', '@tillstream/api', 'a library imports no app'],
    ['apps/api/src/index.ts', '@tillstream/settlement-projector', 'an app imports no other app'],
    ['apps/payment-form/src/main.tsx', '@tillstream/domain', 'the page knows public shapes only'],
    ['tools/verify/src/index.ts', '@tillstream/api', 'a tool imports no app'],
    ['tools/verify/src/index.ts', '@tillstream/proof', 'a tool imports no other tool'],
    [
      'examples/gift-cards/src/index.ts',
      '@tillstream/payments',
      'an example imports published packages only',
    ],
    ['libs/domain/src/index.ts', '../../payments/src/index.js', 'a package is entered by its name'],
  ])('%s does not import %s: %s', async (file, specifier) => {
    expect(await messages(file, `import '${specifier}';`)).not.toEqual([]);
  });

  it('an adapter does not import its caller', async () => {
    expect(await messages('libs/processors/src/index.ts', `import '@tillstream/payments';`)).not.toEqual([]);
  });

  it.each([
    ['libs/payments/src/index.ts', '@tillstream/domain'],
    ['libs/platform/src/index.ts', '@tillstream/vault'],
    ['apps/api/src/index.ts', '@tillstream/payments'],
    ['apps/payment-form/src/main.tsx', '@tillstream/contracts'],
    ['tools/verify/src/index.ts', '@tillstream/event-store-sqlite'],
    ['examples/gift-cards/src/index.ts', '@tillstream/domain/shared'],
    ['libs/event-store-sqlite/src/sqlite-event-store.spec.ts', '@tillstream/event-store-testing'],
  ])('%s imports %s', async (file, specifier) => {
    expect(await messages(file, `import '${specifier}';`)).toEqual([]);
  });

  it('a type named in place is an import too', async () => {
    const text = `export type Store = import('@tillstream/event-store').EventStore;`;
    expect(await messages('libs/domain/src/index.ts', text)).not.toEqual([]);
  });

  it('every library has a line in the table', async () => {
    const config = (await eslint.calculateConfigForFile(join(root, 'libs/domain/src/index.ts'))) as Config;
    const [, { depConstraints }] = config.rules['@nx/enforce-module-boundaries'];
    const libraries = readdirSync(join(root, 'libs')).map((name) => `scope:${name}`);
    expect(depConstraints.map(({ sourceTag }) => sourceTag)).toEqual(expect.arrayContaining(libraries));
  });
});

describe('A pure package', () => {
  it.each([
    'export const now = () => Date.now();',
    'export const now = () => new Date();',
    'export const now = () => Date();',
    'const { now } = Date; export { now };',
    'export const dice = () => Math.random();',
    'export const id = () => crypto.randomUUID();',
    'export const mode = process.env;',
    'export const later = (work: () => void) => setTimeout(work, 1);',
    'export const bytes = Buffer.from("x");',
    'export const get = (url: string) => fetch(url);',
    'export const log = { log: console };',
    'export const where = import.meta.url;',
    'export const all = globalThis;',
  ])('has none of: %s', async (text) => {
    expect(await messages('libs/domain/src/index.ts', text)).not.toEqual([]);
  });

  it.each([
    'export const parsed = Date.parse("2026-01-01T00:00:00.000Z");',
    'export const text = (ms: number) => new Date(ms).toISOString();',
    'export const zone = new Intl.DateTimeFormat("en", { timeZone: "UTC" });',
    'export interface Words { readonly process: string; fetch(): void }',
    'export const words = (given: { process: string }) => given.process;',
    'export const words = { process: 1, console() { return 2; } };',
  ])('has code that depends on its arguments alone, and names: %s', async (text) => {
    expect(await messages('libs/contracts/src/index.ts', text)).toEqual([]);
  });

  it('has specs that may do all of it', async () => {
    const text = 'process.stdout.write(`${Date.now()}`);';
    expect(await messages('libs/domain/src/shared/ids.spec.ts', text)).toEqual([]);
  });
});
