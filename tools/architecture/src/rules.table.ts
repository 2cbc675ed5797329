import type { Kind } from './workspace.js';

/*
 * The dependency rule of the house, as data. What is not listed is forbidden. docs/adr/0002
 * says why.
 */

export interface Room {
  /** Packages of the project that its sources may import. */
  readonly imports: readonly string[];
  /** Those of `imports` of which only types may be used: their code is handed in from outside. */
  readonly typesOnly?: readonly string[];
  /** What its specs and testing files may import besides. */
  readonly inTests?: readonly string[];
  /** Packages of others that its sources may import. */
  readonly thirdParty?: readonly string[];
  /** No clock, no chance, no input or output: the same arguments always give the same answer. */
  readonly pure?: true;
}

export const SCOPE = '@tillstream/';

/** A library that is not in this table does not exist. */
export const LIBRARIES: Readonly<Record<string, Room>> = {
  domain: { imports: [], pure: true },
  contracts: { imports: [], pure: true },
  'event-store': { imports: [] },
  'event-consumers': { imports: ['event-store', 'runtime'], inTests: ['event-store-testing'] },
  'event-store-testing': {
    imports: ['event-store'],
    // Of the client only the service definitions that it ships, for the double that speaks them from the other side.
    thirdParty: ['@eventstore/db-client', '@grpc/grpc-js', 'google-protobuf'],
  },
  'event-store-sqlite': {
    imports: ['event-store', 'runtime', 'sqlite-driver'],
    inTests: ['event-store-testing'],
    thirdParty: ['better-sqlite3', 'lru-cache'],
  },
  'event-store-eventstoredb': {
    imports: ['event-store'],
    inTests: ['event-store-testing'],
    thirdParty: ['@eventstore/db-client', 'google-protobuf'],
  },
  payments: {
    imports: ['domain', 'event-consumers', 'event-store', 'processors', 'vault'],
    typesOnly: ['processors'],
    inTests: ['event-store-testing', 'processors', 'sandbox'],
  },
  'payments-sqlite': {
    imports: ['domain', 'event-store', 'event-store-sqlite', 'payments'],
    inTests: ['event-store-testing'],
  },
  presentation: { imports: ['contracts', 'domain'] },
  processors: { imports: ['domain', 'sandbox'] },
  'read-models': {
    imports: ['contracts', 'domain', 'event-consumers', 'event-store', 'presentation'],
    typesOnly: ['event-consumers'],
    inTests: ['event-consumers'],
    thirdParty: ['kysely'],
    pure: true,
  },
  'read-models-sqlite': {
    imports: ['domain', 'event-consumers', 'event-store', 'read-models', 'sqlite-driver'],
    inTests: ['event-store-testing'],
    thirdParty: ['better-sqlite3', 'kysely'],
  },
  sandbox: { imports: ['contracts', 'domain', 'sqlite-driver'], thirdParty: ['better-sqlite3'] },
  platform: {
    imports: [
      'contracts',
      'domain',
      'event-consumers',
      'event-store',
      'event-store-eventstoredb',
      'event-store-sqlite',
      'payments',
      'payments-sqlite',
      'processors',
      'read-models',
      'read-models-sqlite',
      'sandbox',
      'vault',
    ],
    inTests: ['event-store-testing'],
    thirdParty: [
      '@opentelemetry/api',
      '@opentelemetry/exporter-trace-otlp-http',
      '@opentelemetry/resources',
      '@opentelemetry/sdk-trace-base',
      'pino',
      'prom-client',
    ],
  },
  runtime: { imports: [] },
  'sqlite-driver': { imports: [], thirdParty: ['better-sqlite3'] },
  vault: { imports: ['sqlite-driver'], thirdParty: ['better-sqlite3'] },
};

/** Apps and tools may import any library and what their package.json declares, but never one another. */
export const KINDS_THAT_IMPORT_ANY_LIBRARY: readonly Kind[] = ['apps', 'tools'];

/** Drivers stay behind their adapter, in specs too: nobody else reads or writes these files by hand. */
export const DRIVERS: Readonly<Record<string, readonly string[]>> = {
  'better-sqlite3': ['event-store-sqlite', 'read-models-sqlite', 'sandbox', 'sqlite-driver', 'vault'],
  '@tillstream/sqlite-driver': ['event-store-sqlite', 'read-models-sqlite', 'sandbox', 'vault'],
  kysely: ['read-models', 'read-models-sqlite'],
  '@eventstore/db-client': ['event-store-eventstoredb', 'event-store-testing'],
};

/** Of others, in specs and testing files of every package. */
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

/** Packages of the project that exist for tests: nothing that runs in production imports them. */
export const TEST_ONLY_PACKAGES: readonly string[] = ['event-store-testing', 'proof'];

/**
 * Names that a pure room must not touch. `Date.parse`, `Date.UTC`, `new Date(milliseconds)` and `Intl` with an explicit
 * time zone depend on their arguments alone and are allowed.
 */
export const IMPURE_GLOBALS: readonly string[] = [
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
export const IMPURE_MEMBERS: readonly string[] = ['Date.now', 'Math.random'];

/** About 200 is what we aim at; beyond this a file does too much. */
export const MAX_LINES = 300;
