const { files: BUNDLED } = require('./node_modules/.cache/jest-packages/index.json');

/** An import names the compiled file, `./a.js`, as Node wants it. Its source is `./a.ts` or `./a.tsx`. */
const extensionAlias = { '.js': ['.ts', '.tsx', '.js'] };
const BUNDLED_PACKAGES = new Set(Object.keys(BUNDLED).map(packageOf));

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
