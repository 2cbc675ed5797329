/*
 * What the boundaries of eslint.boundaries.mjs can't express: which libraries there are, and what each may have besides
 * libraries of the project. docs/adr/0002 says why.
 */

interface Library {
  /** Libraries of which its sources use types only: their code is handed in from outside. */
  readonly typesOnly?: readonly string[];
  /** Packages of others that its sources may import. */
  readonly thirdParty?: readonly string[];
  /** Packages of others that its specs may import besides. */
  readonly thirdPartyInTests?: readonly string[];
  /** The same arguments always give the same result: no modules of Node. eslint.boundaries.mjs has the rest. */
  readonly pure?: true;
}

export const SCOPE = '@tillstream/';

/** A library that is not in this table does not exist. */
export const LIBRARIES: Readonly<Record<string, Library>> = {
  'bank-holidays': { thirdParty: ['date-holidays'] },
  'browser-testing': { thirdParty: ['playwright-core'] },
  'companion-server': {
    typesOnly: ['contracts', 'platform'],
    thirdParty: ['@nestjs/common', '@nestjs/core', 'express', 'reflect-metadata'],
  },
  domain: { pure: true },
  contracts: { pure: true },
  'event-store': {},
  'event-consumers': {},
  'event-store-testing': {
    // Of the client only the service definitions that it ships, for the double that speaks them from the other side.
    thirdParty: ['@eventstore/db-client', '@grpc/grpc-js', 'google-protobuf'],
  },
  'event-store-sqlite': { thirdParty: ['better-sqlite3', 'lru-cache'] },
  'event-store-eventstoredb': { thirdParty: ['@eventstore/db-client', 'google-protobuf'] },
  // It calculates again what the domain calculates, and so uses none of its code.
  ledger: { typesOnly: ['domain'], pure: true },
  payments: { typesOnly: ['processors'], thirdParty: ['lru-cache'] },
  'payments-postgres': { thirdParty: ['kysely'] },
  'payments-sqlite': {},
  'payment-form': {},
  'postgres-driver': { thirdParty: ['kysely', 'pg'] },
  presentation: {},
  processors: { thirdParty: ['lru-cache'] },
  'read-models': { typesOnly: ['event-consumers'], thirdParty: ['kysely', 'lru-cache'], pure: true },
  'read-models-postgres': { thirdParty: ['kysely', 'lru-cache'] },
  'read-models-sqlite': { thirdParty: ['better-sqlite3', 'kysely', 'lru-cache'] },
  sandbox: { thirdParty: ['better-sqlite3'] },
  platform: {
    thirdParty: [
      '@opentelemetry/api',
      '@opentelemetry/exporter-trace-otlp-http',
      '@opentelemetry/resources',
      '@opentelemetry/sdk-trace-base',
      'cli-progress',
      'commander',
      'pino',
      'prom-client',
    ],
  },
  runtime: {},
  'sqlite-driver': { thirdParty: ['better-sqlite3'] },
  vault: { thirdParty: ['better-sqlite3', 'kysely'] },
  'webhook-delivery': { typesOnly: ['event-consumers'], thirdParty: ['lru-cache', 'undici'] },
  'webhook-delivery-postgres': { thirdParty: ['kysely'] },
  'webhook-delivery-sqlite': { thirdParty: ['better-sqlite3'] },
  // No dependency: users hand in their own framework and database.
  webhooks: {
    thirdPartyInTests: [
      '@nestjs/common',
      '@nestjs/core',
      '@nestjs/platform-express',
      'express',
      'pg',
      'reflect-metadata',
      'standardwebhooks',
      'svix',
    ],
  },
};

/** Apps whose folder has the name of a library, or will have it: package names are unique. */
export const APP_NAMES: Readonly<Record<string, string>> = {
  'payment-form': 'payment-form-page',
  sandbox: 'sandbox-service',
};

/** Drivers stay behind their adapter, in specs too: no other package reads or writes these files by hand. */
export const DRIVERS: Readonly<Record<string, readonly string[]>> = {
  'better-sqlite3': [
    'event-store-sqlite',
    'read-models-sqlite',
    'sandbox',
    'sqlite-driver',
    'vault',
    'webhook-delivery-sqlite',
    // Outside of libs by its folder: a program of a user.
    'examples/webhook-receiver',
  ],
  '@tillstream/sqlite-driver': [
    'event-store-sqlite',
    // Copies of whole files.
    'platform',
    'read-models-sqlite',
    'sandbox',
    'vault',
    'webhook-delivery-sqlite',
    // Its working file, and files with planted errors in its specs.
    'tools/audit',
    // Its specs: a user's own database.
    'webhooks',
  ],
  kysely: [
    'payments-postgres',
    'postgres-driver',
    'read-models',
    'read-models-postgres',
    'read-models-sqlite',
    'vault',
    'webhook-delivery-postgres',
  ],
  // The specs of webhooks: a user's own database.
  pg: ['postgres-driver', 'webhooks'],
  // The tests of the API, of the dispatcher and of webhooks, the benchmarks and the proofs start a server.
  '@tillstream/postgres-driver': [
    'apps/api',
    'apps/webhook-dispatcher',
    'payments-postgres',
    'platform',
    'read-models-postgres',
    'tools/bench',
    'tools/proof',
    'vault',
    'webhook-delivery-postgres',
    'webhooks',
  ],
  '@eventstore/db-client': ['event-store-eventstoredb', 'event-store-testing'],
};

/** Third-party packages for specs and testing files of every package. */
export const TEST_TOOLS: readonly string[] = [
  '@jest/globals',
  'canonicalize',
  'fast-check',
  'jest',
  'playwright-core',
  '@redocly/openapi-core',
  'ajv',
  'ajv-formats',
];

/** Packages of this repository for tests; production code must not import them. */
export const TEST_ONLY_PACKAGES: readonly string[] = ['browser-testing', 'event-store-testing', 'proof'];

/** What opens a browser or starts a program of this repository: only specs named `*.e2e.spec.ts` import it. */
export const E2E_MODULES: readonly string[] = [
  '@tillstream/browser-testing',
  '@tillstream/companion-server/testing/contract',
  'apps/api/src/testing/service.process.ts',
  'apps/api/src/testing/watched.browser.ts',
  'apps/payment-form/src/testing/form.page.ts',
  'apps/sandbox/src/testing/sandbox.process.ts',
  'tools/tillstream/src/report/service.fixture.ts',
  'tools/vault-keys/src/program.fixture.ts',
];

/** What starts a server of PostgreSQL: only specs with `postgres` in their path import it. */
export const POSTGRES_MODULES: readonly string[] = [
  '@tillstream/postgres-driver/testing',
  'apps/api/src/testing/two.machines.ts',
];

/** A violated rule, with what a developer needs to correct it. */
export interface Violation {
  readonly rule: Rule;
  /** A file with its line, or a package's folder. */
  readonly where: string;
  readonly message: string;
}

export type Rule =
  | 'unknown-library'
  | 'tags'
  | 'types-only'
  | 'third-party'
  | 'driver'
  | 'test-code'
  | 'deep-path'
  | 'leaves-package'
  | 'undeclared'
  | 'unreadable-import'
  | 'build-reference'
  | 'e2e'
  | 'postgres'
  | 'pure';

export function violationText({ rule, where, message }: Violation): string {
  return `${where}: ${message} [${rule}]`;
}
