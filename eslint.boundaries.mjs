import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import nx from '@nx/eslint-plugin';
import { parser } from 'typescript-eslint';

/*
 * Which package may import which, by the tags in each package.json (`nx.tags`). What is not listed is forbidden.
 * docs/adr/0002 says why. What this rule can't express (types only, drivers, packages of others, modules of Node in pure
 * packages) is checked by tools/architecture.
 */

/** A library is `scope:<its folder>`. `imports`: what its sources import; `inTests`: what its specs import besides. */
const LIBRARIES = {
  'bank-holidays': { imports: [] },
  'browser-testing': { imports: [] },
  'companion-server': { imports: ['contracts', 'platform', 'runtime'] },
  domain: { imports: [] },
  contracts: { imports: [] },
  'event-store': { imports: [] },
  'event-consumers': { imports: ['event-store', 'runtime'], inTests: ['event-store-testing'] },
  'event-store-testing': { imports: ['event-store'] },
  'event-store-sqlite': {
    imports: ['event-store', 'runtime', 'sqlite-driver'],
    inTests: ['event-store-testing'],
  },
  'event-store-eventstoredb': { imports: ['event-store', 'runtime'], inTests: ['event-store-testing'] },
  ledger: { imports: ['domain'], inTests: ['read-models'] },
  payments: {
    imports: ['domain', 'event-consumers', 'event-store', 'processors', 'runtime', 'vault'],
    inTests: ['event-store-testing', 'sandbox'],
  },
  'payments-postgres': {
    imports: ['domain', 'event-consumers', 'event-store', 'payments', 'postgres-driver'],
    inTests: ['event-store-testing'],
  },
  'payments-sqlite': {
    imports: ['domain', 'event-store', 'event-store-sqlite', 'payments'],
    inTests: ['event-store-testing'],
  },
  'payment-form': { imports: [], inTests: ['browser-testing', 'contracts'] },
  presentation: { imports: ['contracts', 'domain'] },
  processors: { imports: ['domain', 'sandbox'] },
  'read-models': { imports: ['contracts', 'domain', 'event-consumers', 'event-store', 'presentation'] },
  'read-models-postgres': {
    imports: ['domain', 'event-consumers', 'event-store', 'postgres-driver', 'read-models', 'runtime'],
    inTests: ['event-store-testing'],
  },
  'read-models-sqlite': {
    imports: ['domain', 'event-consumers', 'event-store', 'read-models', 'runtime', 'sqlite-driver'],
    inTests: ['event-store-testing'],
  },
  sandbox: { imports: ['domain', 'runtime', 'sqlite-driver'] },
  platform: {
    imports: [
      'bank-holidays',
      'contracts',
      'domain',
      'event-consumers',
      'event-store',
      'event-store-eventstoredb',
      'event-store-sqlite',
      'payments',
      'payments-postgres',
      'payments-sqlite',
      'postgres-driver',
      'processors',
      'read-models',
      'read-models-postgres',
      'read-models-sqlite',
      'runtime',
      'sandbox',
      'sqlite-driver',
      'vault',
      'webhook-delivery',
      'webhook-delivery-postgres',
      'webhook-delivery-sqlite',
      'webhooks',
    ],
    inTests: ['event-store-testing'],
  },
  'postgres-driver': { imports: ['event-store', 'runtime'] },
  runtime: { imports: [] },
  'sqlite-driver': { imports: [] },
  vault: { imports: ['postgres-driver', 'runtime', 'sqlite-driver'] },
  'webhook-delivery': {
    imports: ['contracts', 'domain', 'event-consumers', 'event-store', 'presentation', 'runtime', 'webhooks'],
    inTests: ['event-store-testing', 'read-models'],
  },
  'webhook-delivery-postgres': {
    imports: ['event-consumers', 'event-store', 'postgres-driver', 'webhook-delivery'],
    inTests: ['event-store-eventstoredb', 'event-store-testing'],
  },
  'webhook-delivery-sqlite': {
    imports: ['domain', 'event-consumers', 'event-store', 'sqlite-driver', 'webhook-delivery'],
    inTests: ['event-store-eventstoredb', 'event-store-sqlite', 'event-store-testing'],
  },
  webhooks: { imports: ['contracts'], inTests: ['postgres-driver', 'sqlite-driver'] },
};

/** Apps and tools import any library and never one another; an example has only what is published. */
const KINDS = [
  { sourceTag: 'type:lib', onlyDependOnLibsWithTags: ['type:lib'] },
  { sourceTag: 'type:app', onlyDependOnLibsWithTags: ['type:lib'] },
  // It runs in the customer's browser; tools/architecture keeps what is for tests out of it.
  {
    sourceTag: 'scope:payment-form-page',
    onlyDependOnLibsWithTags: ['scope:browser-testing', 'scope:contracts'],
  },
  { sourceTag: 'type:tool', onlyDependOnLibsWithTags: ['type:lib'] },
  { sourceTag: 'type:example', onlyDependOnLibsWithTags: ['published'] },
];

const SPECS = ['**/*.{spec,testing,fixture,contract}.ts', '**/testing/**/*.ts'];

/** Names that a package with the tag `pure` must not use: no clock, no random source, no input and no output. */
const IMPURE_GLOBALS = [
  'Buffer',
  'console',
  'crypto',
  'fetch',
  'global',
  'globalThis',
  'performance',
  'process',
  'queueMicrotask',
  'require',
  'setImmediate',
  'setInterval',
  'setTimeout',
  'structuredClone',
  'WebSocket',
  'Worker',
  'XMLHttpRequest',
];
const IMPURE_MEMBERS = [
  { object: 'Date', property: 'now' },
  { object: 'Math', property: 'random' },
];
const IMPURE_SYNTAX = [
  { selector: "NewExpression[callee.name='Date'][arguments.length=0]", message: 'It reads the clock.' },
  { selector: "CallExpression[callee.name='Date']", message: 'It reads the clock.' },
  { selector: "MetaProperty[meta.name='import']", message: 'A pure package has no place.' },
  {
    selector: "VariableDeclarator[id.type='ObjectPattern'][init.name=/^(Date|Math)$/]",
    message: 'Call it by its full name.',
  },
];

const libs = join(import.meta.dirname, 'libs');
const PURE_SOURCES = readdirSync(libs)
  .filter((name) =>
    JSON.parse(readFileSync(join(libs, name, 'package.json'), 'utf8')).nx.tags.includes('pure'),
  )
  .map((name) => `libs/${name}/src/**/*.ts`);

/** The rule of module boundaries does not look at these two forms of an import. */
const IMPORT_SYNTAX = [
  { selector: 'TSImportType', message: "Name a type by 'import type'." },
  { selector: 'TSImportEqualsDeclaration', message: "Use 'import … from'." },
];

const rule = (constraints) => ({
  '@nx/enforce-module-boundaries': [
    'error',
    { allow: [], enforceBuildableLibDependency: false, depConstraints: [...KINDS, ...constraints] },
  ],
  'no-restricted-syntax': ['error', ...IMPORT_SYNTAX],
});
const scopes = (tagsOf) =>
  Object.entries(LIBRARIES).map(([name, library]) => ({
    sourceTag: `scope:${name}`,
    onlyDependOnLibsWithTags: tagsOf(library).map((one) => `scope:${one}`),
  }));

export default [
  {
    files: ['**/*.{ts,tsx}'],
    languageOptions: { parser },
    plugins: { '@nx': nx },
    rules: rule(scopes(({ imports }) => imports)),
  },
  {
    files: SPECS,
    rules: rule(scopes(({ imports, inTests = [] }) => [...imports, ...inTests])),
  },
  {
    files: PURE_SOURCES,
    ignores: SPECS,
    rules: {
      'no-restricted-globals': ['error', ...IMPURE_GLOBALS],
      'no-restricted-properties': ['error', ...IMPURE_MEMBERS],
      'no-restricted-syntax': ['error', ...IMPORT_SYNTAX, ...IMPURE_SYNTAX],
    },
  },
];
