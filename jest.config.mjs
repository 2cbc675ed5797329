import { availableParallelism } from 'node:os';
import { bundlePackages } from './jest.packages.mjs';

/** Tests run on the sources; only child processes and worker threads use what `npm run build` made. */
const project = {
  testEnvironment: 'node',
  extensionsToTreatAsEsm: ['.ts'],
  transform: {
    '^.+\\.ts$': [
      '@swc/jest',
      {
        jsc: {
          parser: { syntax: 'typescript', decorators: true },
          transform: { legacyDecorator: true, decoratorMetadata: true },
          target: 'es2022',
        },
        module: { type: 'es6' },
        sourceMaps: 'inline',
      },
    ],
  },
  resolver: '<rootDir>/jest.resolver.cjs',
  testEnvironmentOptions: { customExportConditions: ['@tillstream/source', 'node', 'node-addons'] },
  modulePathIgnorePatterns: ['<rootDir>/(libs|apps|tools|examples)/[^/]+/dist'],
};

const ALL = '<rootDir>/{libs,apps,tools,examples}/*/src/**/*.spec.ts';
/** They open a real browser, or run a whole program of this repository as a process. */
const E2E = '**/src/**/*.e2e.spec.ts';
/** They are about the stores that are servers, which their path names. jest replaces `<rootDir>` in no pattern that begins with `!`. */
const SERVERS = ['*@(postgres|eventstoredb)*/**/*', '*@(postgres|eventstoredb)*'].map(
  (path) => `${import.meta.dirname}/**/${path}.spec.ts`,
);
const HTTP = '<rootDir>/apps/api/src/**/*.http.spec.ts';
/** The specs that depend most on the event store and on the connection to the processor. */
const WITH_MONEY =
  '<rootDir>/apps/api/src/{payment-methods,testing,transactions}/{storing,test.*,idempotency,token-payments,transactions}.http.spec.ts';

const specs = (displayName, ...testMatch) => ({ ...project, displayName, testMatch });

const httpOn = (displayName, globals, testMatch = HTTP) => ({ ...specs(displayName, testMatch), globals });

/** Payments once more, on the adapters that are not embedded. */
const otherAdapters = httpOn(
  'HTTP with other adapters',
  { EVENT_STORE: 'eventstoredb', SHARED_STORE: 'postgres', SANDBOX: 'network' },
  WITH_MONEY,
);

/** What a run consists of, by the words of `TESTS`. */
const RUNS = {
  /** `npm test`: units, contracts of adapters, and the API over HTTP in the process of the test. */
  usual: [specs('usual', ALL, ...[E2E, ...SERVERS].map((pattern) => `!${pattern}`))],
  /** `npm run test:servers` */
  servers: [specs('EventStoreDB and PostgreSQL', ...SERVERS, `!${E2E}`), otherAdapters],
  /** `npm run test:e2e` */
  e2e: [specs('e2e', E2E)],
  /** `npm run test:adapters`: every HTTP spec on each store, and over each kind of network to the sandbox. */
  adapters: [
    httpOn('HTTP on EventStoreDB', { EVENT_STORE: 'eventstoredb' }),
    httpOn('HTTP on EventStoreDB and PostgreSQL', {
      EVENT_STORE: 'eventstoredb',
      SHARED_STORE: 'postgres',
      SANDBOX: 'network',
    }),
    httpOn('HTTP with the sandbox over the network', { SANDBOX: 'network' }),
    httpOn('HTTP over a slow network', { SANDBOX: 'network', SANDBOX_LINE: 'delayed' }),
    httpOn('HTTP over a network that repeats every response', {
      SANDBOX: 'network',
      SANDBOX_LINE: 'doubled',
    }),
  ],
  /** `npm run jest -- PATH`: any spec. */
  all: [specs('all', ALL), otherAdapters],
};

await bundlePackages();
const projects = (process.env.TESTS ?? 'all').split(' ').flatMap((name) => {
  if (!Object.hasOwn(RUNS, name)) throw new Error(`TESTS has words of ${Object.keys(RUNS).join(', ')}`);
  return RUNS[name];
});

export default {
  testTimeout: 90_000,
  // 1.5 workers a core, because many specs wait; jest's default is one less than the number of cores.
  maxWorkers: Math.ceil(availableParallelism() * 1.5),
  // A worker keeps the modules of finished files; a heap of gigabytes slows the next ones. So it restarts.
  workerIdleMemoryLimit: '700MB',
  testSequencer: '<rootDir>/jest.sequencer.mjs',
  projects,
};
