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
  modulePathIgnorePatterns: ['<rootDir>/(libs|apps|tools)/[^/]+/dist'],
};

export default {
  testTimeout: 30_000,
  // Most of them wait for time to pass: both cores, not one as by default.
  maxWorkers: '100%',
  projects: [
    { ...project, displayName: 'all', testMatch: ['<rootDir>/{libs,apps,tools}/*/src/**/*.spec.ts'] },
    {
      ...project,
      displayName: 'HTTP on EventStoreDB',
      testMatch: ['<rootDir>/apps/*/src/**/*.http.spec.ts'],
      globals: { EVENT_STORE: 'eventstoredb' },
    },
  ],
};
