/** An import names the compiled file, `./a.js`, as Node wants it. Its source is `./a.ts` or `./a.tsx`. */
const extensionAlias = { '.js': ['.ts', '.tsx', '.js'] };

/**
 * Resolves imports for jest. Jest keeps what a resolver returns for the other spec files of the worker; with a
 * `moduleNameMapper` for `.js` it resolved each import of each module anew for every spec file.
 */
module.exports = (path, options) =>
  options.defaultResolver(path, isInstalled(options.basedir) ? options : { ...options, extensionAlias });

/** Packages of others come compiled. */
function isInstalled(folder) {
  return folder.includes('/node_modules/');
}
