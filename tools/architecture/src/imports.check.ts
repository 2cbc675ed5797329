import { isBuiltin } from 'node:module';
import { posix } from 'node:path';
import {
  DRIVERS,
  E2E_MODULES,
  LIBRARIES,
  POSTGRES_MODULES,
  SCOPE,
  TEST_ONLY_PACKAGES,
  TEST_TOOLS,
  type Rule,
  type Violation,
} from './rules.table.js';
import { isE2eSpec, isTestPath, type Import, type SourceFile } from './source.file.js';
import type { Package, Workspace } from './workspace.js';

interface ImportMention extends Import {
  readonly specifier: string;
  readonly file: SourceFile;
  readonly from: Package;
  readonly workspace: Workspace;
}

type Finding = readonly [rule: Rule, message: string];

/** By which entry a package is imported, and what a library may import besides libraries (eslint.boundaries.mjs). */
export function checkImports(workspace: Workspace, from: Package, file: SourceFile): Violation[] {
  return file.imports.flatMap((one) => {
    const where = `${file.path}:${one.line}`;
    const { specifier } = one;
    const findings: readonly Finding[] =
      specifier === undefined
        ? [['unreadable-import', 'imports a module whose name is computed; name it']]
        : checkSpecifier({ ...one, specifier, file, from, workspace });
    return findings.map(([rule, message]) => ({ rule, where, message }));
  });
}

function checkSpecifier(mention: ImportMention): readonly Finding[] {
  return [...checkSpecName(mention), ...checkMention(mention)];
}

function checkSpecName({ specifier, file: { path }, typeOnly }: ImportMention): readonly Finding[] {
  if (typeOnly || !path.endsWith('.spec.ts') || isE2eSpec(path)) return [];
  const isRelative = specifier.startsWith('.');
  const module = isRelative ? posix.join(posix.dirname(path), specifier).replace(/\.js$/, '.ts') : specifier;
  if (E2E_MODULES.includes(module))
    return [['e2e', 'opens a browser or starts a program, so it is named *.e2e.spec.ts (npm run test:e2e)']];
  if (POSTGRES_MODULES.includes(module) && !path.includes('postgres'))
    return [['postgres', "starts PostgreSQL, so its path has 'postgres' in it (npm run test:servers)"]];
  return [];
}

function checkMention(mention: ImportMention): readonly Finding[] {
  const { specifier } = mention;
  if (specifier.startsWith('.') || specifier.startsWith('/') || specifier.startsWith('file:')) {
    return checkRelative(mention);
  }
  if (isBuiltin(specifier)) return checkBuiltin(mention);
  const name = packageNameOf(specifier);
  return name.startsWith(SCOPE) ? checkOwn(mention, name) : checkThirdParty(mention, name);
}

function checkRelative({ specifier, file, from }: ImportMention): readonly Finding[] {
  const target = posix.join(posix.dirname(file.path), specifier);
  if (!specifier.startsWith('.') || !target.startsWith(`${from.folder}/src/`)) {
    return [['leaves-package', `'${specifier}' leaves ${from.folder}/src; import the package by its name`]];
  }
  if (!file.isTest && isTestPath(target.replace(/\.[cm]?js$/, '.ts'))) {
    return [['test-code', `'${specifier}' is for tests, and this file is not`]];
  }
  return [];
}

function checkBuiltin({ specifier, from, file }: ImportMention): readonly Finding[] {
  const pure = libraryRules(from)?.pure === true && !file.isTest;
  return pure ? [['pure', `${from.folder} is pure and can't import '${specifier}'`]] : [];
}

function checkOwn(mention: ImportMention, name: string): readonly Finding[] {
  const { specifier, from, workspace } = mention;
  if (name === from.name) {
    return [['deep-path', `a package does not import itself by name; use a relative path`]];
  }
  const to = workspace.packages.find((one) => one.name === name);
  if (!to) return [['undeclared', `'${name}' is no package of this workspace`]];
  const findings: Finding[] = [];
  const entry = specifier === name ? '.' : `./${specifier.slice(name.length + 1)}`;
  if (!to.entries.includes(entry)) {
    const open = to.entries.map((one) => posix.join(name, one)).join(', ');
    findings.push(['deep-path', `'${specifier}' is no declared entry of its package; declared: ${open}`]);
  }
  findings.push(
    ...checkDriver(mention, name),
    ...checkTypesOnly(mention, to),
    ...checkTestEntry(mention, to, entry),
  );
  findings.push(...checkDeclared(mention, name));
  return findings;
}

function checkTypesOnly({ from, file, typeOnly }: ImportMention, to: Package): readonly Finding[] {
  if (file.isTest || typeOnly || !libraryRules(from)?.typesOnly?.includes(shortName(to.name))) return [];
  return [['types-only', `${from.folder} knows ${to.folder} by its types only; use 'import type'`]];
}

/** Entry points under `testing` and packages for tests are not for production code; tools may use them. */
function checkTestEntry(
  { specifier, file, from }: ImportMention,
  to: Package,
  entry: string,
): readonly Finding[] {
  const forTests = entry.split('/').includes('testing') || TEST_ONLY_PACKAGES.includes(shortName(to.name));
  if (!forTests || file.isTest || from.kind === 'tools') return [];
  return [['test-code', `'${specifier}' is for tests, and this file is not`]];
}

function checkDriver({ from }: ImportMention, name: string): readonly Finding[] {
  const owners = DRIVERS[name];
  if (!owners || owners.includes(from.kind === 'libs' ? shortName(from.name) : from.folder)) return [];
  return [['driver', `only ${owners.join(' and ')} may import '${name}'`]];
}

function checkThirdParty(mention: ImportMention, name: string): readonly Finding[] {
  const { from, file, workspace } = mention;
  const driver = checkDriver(mention, name);
  if (driver.length > 0) return driver;
  if (TEST_TOOLS.includes(name)) {
    if (file.isTest) return [];
    // A tool that measures pages needs the browser too; it lists it as any dependency.
    if (from.kind !== 'tools') return [['test-code', `'${name}' is for tests, and this file is not`]];
  }
  if (from.kind === 'tools' && workspace.rootTools.includes(name)) return [];
  const { thirdParty = [], thirdPartyInTests = [] } = libraryRules(from) ?? {};
  const listed = file.isTest ? [...thirdParty, ...thirdPartyInTests] : thirdParty;
  if (from.kind === 'libs' && !listed.includes(name)) {
    const allowed = listed.join(', ') || 'none';
    return [['third-party', `${from.folder} can't import '${name}'; packages of others allowed: ${allowed}`]];
  }
  return checkDeclared(mention, name);
}

function checkDeclared({ from, file, typeOnly }: ImportMention, name: string): readonly Finding[] {
  const inDevelopment = file.isTest || typeOnly ? from.devDependencies : [];
  const types = `@types/${name.replace(/^@/, '').replace('/', '__')}`;
  const declared =
    from.dependencies.includes(name) ||
    inDevelopment.includes(name) ||
    (typeOnly && inDevelopment.includes(types));
  return declared ? [] : [['undeclared', `${from.folder}/package.json does not declare '${name}'`]];
}

function packageNameOf(specifier: string): string {
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
}

function shortName(name: string): string {
  return name.slice(SCOPE.length);
}

function libraryRules({ kind, name }: Package): (typeof LIBRARIES)[string] | undefined {
  return kind === 'libs' ? LIBRARIES[shortName(name)] : undefined;
}
