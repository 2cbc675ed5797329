const v8 = require('node:v8');
const { files: BUNDLED } = require('./node_modules/.cache/jest-packages/index.json');

/** An import names the compiled file, `./a.js`, as Node wants it. Its source is `./a.ts` or `./a.tsx`. */
const extensionAlias = { '.js': ['.ts', '.tsx', '.js'] };
const BUNDLED_PACKAGES = new Set(Object.keys(BUNDLED).map(packageOf));

/*
 * V8 optimizes a function later: jest loads all modules again for each spec file, so most optimized code ran too rarely. It
 * stands here because jest loads this file in each of its processes. NODE_OPTIONS does not allow the flag, and Node 24 does not know it.
 */
if (process.version.startsWith('v20.')) v8.setFlagsFromString('--interrupt-budget=1000000');

/**
 * Resolves imports for jest, which keeps the results for the other spec files of its worker. It would keep none from a
 * `moduleNameMapper`.
 */
module.exports = (path, options) => {
  // Packages of others come compiled.
  const isInstalled = options.basedir.includes('/node_modules/');
  if (options.conditions?.includes('import')) {
    const bundled = BUNDLED[path];
    if (bundled !== undefined) return bundled;
    // A second copy of its modules would not know the classes of the first.
    if (!isInstalled && BUNDLED_PACKAGES.has(packageOf(path)))
      throw new Error(`'${path}' is missing in the list of jest.packages.mjs`);
  }
  return options.defaultResolver(path, isInstalled ? options : { ...options, extensionAlias });
};

function packageOf(specifier) {
  return /^(@[^/]+\/)?[^/]*/.exec(specifier)[0];
}
