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
/** Those in which the event store and the way to the processor matter most. */
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
  httpOn('HTTP with the sandbox over the network', { SANDBOX: 'network' }),
  httpOn('HTTP over a slow network', { SANDBOX: 'network', SANDBOX_LINE: 'delayed' }),
  httpOn('HTTP over a network that says all twice', { SANDBOX: 'network', SANDBOX_LINE: 'doubled' }),
];

/** `npm test`: everything on what is embedded, and payments once more on what is not. */
const usual = [
  { ...project, displayName: 'all', testMatch: ['<rootDir>/{libs,apps,tools,examples}/*/src/**/*.spec.ts'] },
  httpOn('HTTP with other adapters', { EVENT_STORE: 'eventstoredb', SANDBOX: 'network' }, WITH_MONEY),
];

export default {
  testTimeout: 90_000,
  // Many of them wait now and then: half as many more than cores, where one less is the default.
  maxWorkers: Math.ceil(availableParallelism() * 1.5),
  // Modules of a file that is done are not given back; a heap of gigabytes slows the files after it.
  workerIdleMemoryLimit: '700MB',
  testSequencer: '<rootDir>/jest.sequencer.mjs',
  projects: process.env.ADAPTERS === 'all' ? everyAdapter : usual,
};
