import { availableParallelism } from 'node:os';

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
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
  testEnvironmentOptions: { customExportConditions: ['@tillstream/source', 'node', 'node-addons'] },
  modulePathIgnorePatterns: ['<rootDir>/(libs|apps|tools|examples)/[^/]+/dist'],
};

const HTTP = '<rootDir>/apps/api/src/**/*.http.spec.ts';
/** The specs that depend most on the event store and on the connection to the processor. */
const WITH_MONEY =
  '<rootDir>/apps/api/src/{payment-methods,testing,transactions}/{storing,test.*,idempotency,token-payments,transactions}.http.spec.ts';

const httpOn = (displayName, globals, testMatch = HTTP) => ({
  ...project,
  displayName,
  globals,
  testMatch: [testMatch],
});

/** `npm run test:adapters`: every HTTP spec on each store, and over each kind of network to the sandbox. */
const everyAdapter = [
  httpOn('HTTP on EventStoreDB', { EVENT_STORE: 'eventstoredb' }),
  httpOn('HTTP on EventStoreDB and PostgreSQL', {
    EVENT_STORE: 'eventstoredb',
    SHARED_STORE: 'postgres',
    SANDBOX: 'network',
  }),
  httpOn('HTTP with the sandbox over the network', { SANDBOX: 'network' }),
  httpOn('HTTP over a slow network', { SANDBOX: 'network', SANDBOX_LINE: 'delayed' }),
  httpOn('HTTP over a network that repeats every response', { SANDBOX: 'network', SANDBOX_LINE: 'doubled' }),
];

/** `npm test`: everything on the embedded adapters, and payments once more on the other ones. */
const usual = [
  { ...project, displayName: 'all', testMatch: ['<rootDir>/{libs,apps,tools,examples}/*/src/**/*.spec.ts'] },
  httpOn(
    'HTTP with other adapters',
    { EVENT_STORE: 'eventstoredb', SHARED_STORE: 'postgres', SANDBOX: 'network' },
    WITH_MONEY,
  ),
];

export default {
  testTimeout: 90_000,
  // 1.5 workers a core, because many specs wait; jest's default is one less than the number of cores.
  maxWorkers: Math.ceil(availableParallelism() * 1.5),
  // A worker keeps the modules of finished files; a heap of gigabytes slows the next ones. So it restarts.
  workerIdleMemoryLimit: '700MB',
  testSequencer: '<rootDir>/jest.sequencer.mjs',
  projects: process.env.ADAPTERS === 'all' ? everyAdapter : usual,
};
