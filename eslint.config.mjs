import jest from 'eslint-plugin-jest';
import globals from 'globals';
import tseslint from 'typescript-eslint';
import boundaries from './eslint.boundaries.mjs';

/** Calls that hold expectations: contract suites, given/when/then, and checks that specs share. */
const EXPECTATIONS = [
  'expect*',
  'given.**.then*',
  '**.then*',
  'assert*',
  'check*',
  'fc.assert',
  '**.until',
  'until',
  'taken',
];

/** Of the sources of the service and of the scripts of its pages. */
const LIMITS = {
  eqeqeq: 'error',
  'no-var': 'error',
  'prefer-const': 'error',
  'no-console': 'error',
  'no-warning-comments': ['error', { terms: ['TODO', 'FIXME', 'XXX', 'HACK'], location: 'anywhere' }],
  // A switch over a union counts as one: the compiler checks that it is exhaustive.
  complexity: ['error', { max: 15, variant: 'modified' }],
  'max-depth': ['error', 4],
  'max-lines': ['error', 250],
  'max-lines-per-function': ['error', { max: 70, IIFEs: true }],
};

/** Few rules, each for a mistake that costs money here: a lost promise, an unhandled case, an untyped value. */
export default tseslint.config(
  { ignores: ['**/dist/**', '.nx/**', '.data/**', 'node_modules/**'] },
  {
    files: ['**/*.{ts,tsx}'],
    languageOptions: {
      parser: tseslint.parser,
      parserOptions: {
        project: ['./tsconfig.spec.json', './tsconfig.browser.json'],
        tsconfigRootDir: import.meta.dirname,
      },
    },
    plugins: { '@typescript-eslint': tseslint.plugin },
    rules: {
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': ['error', { checksVoidReturn: { arguments: false } }],
      '@typescript-eslint/await-thenable': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true, requireDefaultForNonUnion: false },
      ],
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      '@typescript-eslint/only-throw-error': 'error',
      '@typescript-eslint/ban-ts-comment': 'error',
      ...LIMITS,
      'max-params': 'off',
      '@typescript-eslint/max-params': ['error', { max: 4, countVoidThis: false }],
    },
  },
  {
    // The scripts of pages, as browsers get them.
    files: ['apps/api/assets/**/*.js'],
    languageOptions: { ecmaVersion: 2022, sourceType: 'module', globals: globals.browser },
    rules: {
      ...LIMITS,
      'max-params': ['error', 4],
      'no-undef': 'error',
      'no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
    },
  },
  { files: ['tools/**/*.ts'], rules: { 'no-console': 'off' } },
  {
    files: ['**/*.{spec,contract,testing,fixture}.ts', '**/testing/**/*.ts'],
    // A suite is one function of many tests.
    rules: {
      'max-lines': ['error', 300],
      'max-lines-per-function': 'off',
      '@typescript-eslint/max-params': 'off',
    },
  },
  {
    // Contract suites have tests too.
    files: ['**/*.ts'],
    plugins: { jest },
    rules: {
      'jest/no-focused-tests': 'error',
      'jest/no-disabled-tests': 'error',
      'no-restricted-properties': [
        'error',
        ...['it', 'test'].map((object) => ({ object, property: 'todo', message: 'Write the test.' })),
      ],
    },
  },
  {
    files: ['**/*.spec.ts'],
    rules: {
      complexity: 'off',
      'jest/no-identical-title': 'error',
      'jest/no-standalone-expect': 'error',
      'jest/valid-expect': 'error',
      'jest/valid-expect-in-promise': 'error',
      'jest/valid-describe-callback': 'error',
      'jest/valid-title': 'error',
      'jest/no-export': 'error',
      'jest/expect-expect': ['error', { assertFunctionNames: EXPECTATIONS }],
    },
  },
  ...boundaries,
);
