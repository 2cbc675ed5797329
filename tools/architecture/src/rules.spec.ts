import { brokenRules, violationsOf } from './workspace.testing.js';

/** One violation of every rule: a rule that finds nothing proves nothing. */
describe('Imports of libraries (which one imports which: boundaries.spec.ts):', () => {
  it('pass if they are allowed', () => {
    const files = {
      'libs/payments/src/index.ts': `
        import { capture } from '@tillstream/domain';
        import type { Processor } from '@tillstream/processors';
        import { type Call } from '@tillstream/processors';
        export { capture, type Processor, type Call };`,
      'apps/api/src/main.ts': `import { createPayments } from '@tillstream/payments'; createPayments();`,
    };
    expect(brokenRules({ files })).toEqual([]);
  });

  it.each([
    `import { SandboxProcessor } from '@tillstream/processors';`,
    `import { type Call, SandboxProcessor } from '@tillstream/processors';`,
    `import '@tillstream/processors';`,
    `export * from '@tillstream/processors';`,
    `export { SandboxProcessor } from '@tillstream/processors';`,
    `const { SandboxProcessor } = await import('@tillstream/processors');`,
    `import processors = require('@tillstream/processors');`,
  ])('payments know processors by their types only, so not: %s', (text) => {
    expect(brokenRules({ files: { 'libs/payments/src/a.ts': text } })).toEqual([
      'types-only libs/payments/src/a.ts:1',
    ]);
  });

  it('a computed import can not be checked', () => {
    const files = { 'apps/api/src/a.ts': `export const load = (name: string) => import(name);` };
    expect(brokenRules({ files })).toEqual(['unreadable-import apps/api/src/a.ts:1']);
  });
});

describe('Third-party packages:', () => {
  it.each(['apps/api', 'libs/payments', 'tools/verify'])('%s does not import the SQLite driver', (folder) => {
    const packages = { [folder]: { dependencies: ['better-sqlite3'] } };
    const files = {
      [`${folder}/src/a.spec.ts`]: `import Database from 'better-sqlite3'; new Database('x');`,
    };
    expect(brokenRules({ files, packages })).toEqual([`driver ${folder}/src/a.spec.ts:1`]);
  });

  it.each(['apps/api', 'tools/verify'])('%s does not open files of SQLite by itself', (folder) => {
    const name = '@tillstream/sqlite-driver';
    const packages = {
      'libs/sqlite-driver': { name },
      [folder]: { dependencies: [name], references: ['libs/sqlite-driver'] },
    };
    const files = { [`${folder}/src/a.ts`]: `import { openDatabase } from '${name}'; openDatabase('x');` };
    expect(brokenRules({ files, packages })).toEqual([`driver ${folder}/src/a.ts:1`]);
  });

  it('its owners may import its types, but its code only if they declare it', () => {
    const types = { devDependencies: ['@types/better-sqlite3'] };
    const packages = { 'libs/sandbox': types, 'libs/vault': types };
    const text = (type: string): string => `import ${type} Database from 'better-sqlite3'; f<Database>();`;
    const files = { 'libs/sandbox/src/a.ts': text('type'), 'libs/vault/src/a.ts': text('') };
    expect(brokenRules({ files, packages })).toEqual(['undeclared libs/vault/src/a.ts:1']);
  });

  it('a library has no framework', () => {
    const files = { 'libs/payments/src/a.ts': `import { Injectable } from '@nestjs/common'; Injectable();` };
    expect(brokenRules({ files })).toEqual(['third-party libs/payments/src/a.ts:1']);
  });

  it('a library may have one for its specs only', () => {
    const text = `import { Webhook } from 'svix'; new Webhook('x');`;
    const files = { 'libs/webhooks/src/a.ts': text, 'libs/webhooks/src/a.spec.ts': text };
    const packages = { 'libs/webhooks': { devDependencies: ['svix'] } };
    expect(brokenRules({ files, packages })).toEqual(['third-party libs/webhooks/src/a.ts:1']);
  });

  it('an app has those that its package.json declares', () => {
    const files = { 'apps/api/src/a.ts': `import '@nestjs/common';\nimport 'rxjs';` };
    expect(brokenRules({ files })).toEqual(['undeclared apps/api/src/a.ts:2']);
  });

  it('tools and specs may import the development tools of the root', () => {
    const files = {
      'tools/verify/src/a.ts': `import ts from 'typescript'; ts.version;`,
      'libs/domain/src/a.spec.ts': `import fc from 'fast-check'; fc.nat();`,
    };
    expect(brokenRules({ files })).toEqual([]);
  });
});

describe('Entries of packages:', () => {
  it.each([
    ['@tillstream/domain/src/shared/money.js', 'deep-path'],
    ['@tillstream/domain/dist/index.js', 'deep-path'],
    ['../../domain/src/index.js', 'leaves-package'],
    ['../package.json', 'leaves-package'],
    ['@tillstream/payments', 'deep-path'],
    ['@tillstream/nowhere', 'undeclared'],
  ])('payments do not import %s (%s)', (specifier, rule) => {
    const files = { 'libs/payments/src/a.ts': `export type { Money } from '${specifier}';` };
    expect(brokenRules({ files })).toEqual([`${rule} libs/payments/src/a.ts:1`]);
  });

  it('a package imports only what its package.json declares', () => {
    const packages = {
      'libs/presentation': { dependencies: ['@tillstream/domain'], references: ['libs/domain'] },
    };
    const files = { 'libs/presentation/src/a.ts': `export * from '@tillstream/contracts';` };
    expect(brokenRules({ files, packages })).toEqual(['undeclared libs/presentation/src/a.ts:1']);
  });

  it('development dependencies serve tests and types only', () => {
    const files = {
      'libs/event-store-sqlite/src/a.spec.ts': `import { eventStoreContract } from '@tillstream/event-store-testing'; eventStoreContract();`,
      'libs/event-store-sqlite/src/b.ts': `import { eventStoreContract } from '@tillstream/event-store-testing'; eventStoreContract();`,
    };
    expect(brokenRules({ files })).toEqual(
      expect.arrayContaining([
        'test-code libs/event-store-sqlite/src/b.ts:1',
        'undeclared libs/event-store-sqlite/src/b.ts:1',
      ]),
    );
    expect(brokenRules({ files }).filter((one) => one.includes('a.spec.ts'))).toEqual([]);
  });
});

describe('Test code:', () => {
  it.each(['@tillstream/processors/testing', '@jest/globals', './a.fixture.js', './testing/world.js'])(
    'a source does not import %s',
    (specifier) => {
      const files = { 'libs/processors/src/a.ts': `import '${specifier}';` };
      const packages = { 'libs/processors': { entries: ['.', './testing'] } };
      const given = specifier.startsWith('@tillstream')
        ? { files: { 'apps/api/src/a.ts': `import '${specifier}';` } }
        : { files, packages };
      expect(brokenRules(given).map((one) => one.split(' ')[0])).toContain('test-code');
    },
  );

  it('a spec does, and a tool has the contract suites of packages', () => {
    const packages = { 'tools/verify': { dependencies: ['@tillstream/processors'] } };
    const files = {
      'tools/verify/src/a.ts': `import '@tillstream/processors/testing';`,
      'libs/processors/src/a.spec.ts': `import './a.fixture.js';\nimport '@jest/globals';`,
    };
    expect(brokenRules({ files, packages })).toEqual([]);
  });
});

describe('A spec that opens a browser or starts a program', () => {
  const texts = [`import '@tillstream/browser-testing';`, `import './testing/service.process.js';`];
  const found = (name: string, text: string): string[] =>
    brokenRules({ files: { [`apps/api/src/${name}`]: text } }).filter((one) => one.startsWith('e2e'));

  it.each(texts)('is run by npm run test:e2e, by its name: %s', (text) => {
    expect(found('a.spec.ts', text)).toEqual(['e2e apps/api/src/a.spec.ts:1']);
    expect(found('a.http.spec.ts', text)).toEqual(['e2e apps/api/src/a.http.spec.ts:1']);
    expect(found('a.e2e.spec.ts', text)).toEqual([]);
  });

  it('is in a package with the target e2e, as others are in one with the target test', () => {
    const files = { 'apps/api/src/a.e2e.spec.ts': '', 'apps/api/src/b.spec.ts': '' };
    const messagesWith = (targets: readonly string[]): string[] =>
      violationsOf({ files, packages: { 'apps/api': { targets } } }).map(({ message }) => message);
    expect(messagesWith(['e2e'])).toEqual([`has specs for a target 'test' (nx.targets)`]);
    expect(messagesWith(['test'])).toEqual([`has specs for a target 'e2e' (nx.targets)`]);
    expect(messagesWith(['test', 'e2e'])).toEqual([]);
  });
});

it('A spec that starts PostgreSQL is run by npm run test:servers, by its path', () => {
  const found = (name: string, specifier: string): string[] =>
    brokenRules({ files: { [`apps/api/src/${name}`]: `import '${specifier}';` } }).filter((one) =>
      one.startsWith('postgres'),
    );
  for (const specifier of ['@tillstream/postgres-driver/testing', './testing/two.machines.js']) {
    expect(found('a.http.spec.ts', specifier)).toEqual(['postgres apps/api/src/a.http.spec.ts:1']);
    expect(found('a.postgres.http.spec.ts', specifier)).toEqual([]);
    expect(found('postgres.fixture.ts', specifier)).toEqual([]);
  }
});

describe('A pure package', () => {
  it.each([
    [`import { randomUUID } from 'node:crypto'; randomUUID();`],
    [`import { readFileSync } from 'fs'; readFileSync('x');`],
  ])('imports no module of Node: %s', (text) => {
    expect(brokenRules({ files: { 'libs/domain/src/a.ts': text } })).toEqual(['pure libs/domain/src/a.ts:1']);
  });

  it('has specs that may import them', () => {
    const files = {
      'libs/domain/src/a.spec.ts': `import { readFileSync } from 'node:fs'; readFileSync('x');`,
    };
    expect(brokenRules({ files })).toEqual([]);
  });
});

describe('Packages as a whole:', () => {
  it('a library that is not in the table does not exist', () => {
    const packages = { 'libs/utils': {} };
    expect(brokenRules({ files: {}, packages })).toEqual(['unknown-library libs/utils']);
  });

  it('an app whose folder has the name of a library has the name that the table gives it', () => {
    const named = (name: string) =>
      brokenRules({ files: {}, packages: { 'apps/payment-form': { name: `@tillstream/${name}` } } });
    expect(named('payment-form')).toContain('unknown-library apps/payment-form');
    expect(named('payment-form-page')).not.toContain('unknown-library apps/payment-form');
  });

  it('a package is named after its folder', () => {
    const packages = { 'libs/domain': { name: '@tillstream/core' } };
    expect(brokenRules({ files: {}, packages })).toContain('unknown-library libs/domain');
  });

  it('a package has the tags that the boundaries go by', () => {
    const packages = { 'libs/domain': { tags: ['type:lib', 'scope:domain'] } };
    const found = violationsOf({ files: {}, packages }).map(({ message }) => message);
    expect(found).toEqual(["has no tag 'pure' (nx.tags)"]);
  });

  it('each refers to exactly the packages that it declares', () => {
    const packages = { 'libs/presentation': { references: ['libs/domain', 'libs/sandbox'] } };
    expect(violationsOf({ files: {}, packages }).map(({ message }) => message)).toEqual([
      'does not refer to libs/contracts',
      'refers to libs/sandbox, which its package.json does not declare',
    ]);
  });

  it('the root builds them all', () => {
    const builtProjects = ['libs/domain'];
    const found = violationsOf({ files: {}, builtProjects }).map(({ message }) => message);
    expect(found).toContain('does not refer to libs/contracts');
    expect(found).not.toContain('does not refer to libs/domain');
  });
});
