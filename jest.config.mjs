/** Tests run on the sources; only child processes and worker threads use what `npm run build` made. */
export default {
  testEnvironment: 'node',
  testMatch: ['<rootDir>/{libs,apps,tools}/*/src/**/*.spec.ts'],
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
  testTimeout: 30_000,
};
