import { APP_NAMES, LIBRARIES, SCOPE, type Violation } from './rules.table.js';
import { isE2eSpec } from './source.file.js';
import type { Package, Workspace } from './workspace.js';

/** Checks packages as a whole: the rules table, tags and references. */
export function checkPackages({ packages, builtProjects }: Workspace): Violation[] {
  const byName = new Map(packages.map((one) => [one.name, one]));
  const own = ({ dependencies, devDependencies }: Package): Package[] =>
    [...dependencies, ...devDependencies].flatMap((name) => byName.get(name) ?? []);
  return [
    ...packages.flatMap(checkName),
    ...packages.flatMap(checkTags),
    ...packages.flatMap(checkTargets),
    ...packages.flatMap((one) => checkReferences(one, own(one))),
    ...packages
      .filter(({ folder }) => !builtProjects.includes(folder))
      .map(({ folder }) => notReferred('tsconfig.json', folder)),
  ];
}

function checkName({ kind, name, folder }: Package): Violation[] {
  const expected = SCOPE + nameOf(kind, folder.slice(kind.length + 1));
  if (name !== expected) {
    return [{ rule: 'unknown-library', where: folder, message: `its package is ${name}, not ${expected}` }];
  }
  if (kind !== 'libs' || Object.hasOwn(LIBRARIES, name.slice(SCOPE.length))) return [];
  const message = 'this library is not in the table of who may import whom (rules.table.ts)';
  return [{ rule: 'unknown-library', where: folder, message }];
}

/** The boundaries in eslint.boundaries.mjs go by these. */
function checkTags({ kind, name, folder, tags }: Package): Violation[] {
  const short = name.slice(SCOPE.length);
  const pure = kind === 'libs' && LIBRARIES[short]?.pure === true;
  const expected = [`type:${kind.slice(0, -1)}`, `scope:${short}`, ...(pure ? ['pure'] : [])];
  return expected
    .filter((tag) => !tags.includes(tag))
    .map((tag) => ({ rule: 'tags', where: folder, message: `has no tag '${tag}' (nx.tags)` }));
}

/** `nx affected -t test e2e` runs a spec only if its package has the target. */
function checkTargets({ folder, files, targets }: Package): Violation[] {
  const specs = files.map(({ path }) => path).filter((path) => path.endsWith('.spec.ts'));
  const needed = [
    ...(specs.some((path) => !isE2eSpec(path)) ? ['test'] : []),
    ...(specs.some(isE2eSpec) ? ['e2e'] : []),
  ];
  return needed
    .filter((target) => !targets.includes(target))
    .map((target) => ({
      rule: 'e2e',
      where: folder,
      message: `has specs for a target '${target}' (nx.targets)`,
    }));
}

function nameOf(kind: Package['kind'], folder: string): string {
  return kind === 'apps' ? (APP_NAMES[folder] ?? folder) : folder;
}

/** `tsc -b` builds in the order of the references. */
function checkReferences({ folder, references }: Package, needed: readonly Package[]): Violation[] {
  const file = `${folder}/tsconfig.json`;
  const missing = needed.filter((one) => !references.includes(one.folder));
  const idle = references.filter((one) => !needed.some((other) => other.folder === one));
  return [
    ...missing.map((one) => notReferred(file, one.folder)),
    ...idle.map((one): Violation => {
      const message = `refers to ${one}, which its package.json does not declare`;
      return { rule: 'build-reference', where: file, message };
    }),
  ];
}

function notReferred(file: string, folder: string): Violation {
  return { rule: 'build-reference', where: file, message: `does not refer to ${folder}` };
}
