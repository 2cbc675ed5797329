import { checkImports } from './imports.check.js';
import { checkPackages } from './packages.check.js';
import { SCOPE, TEST_ONLY_PACKAGES, type Violation } from './rules.table.js';
import { parse } from './source.file.js';
import type { Workspace } from './workspace.js';

export { violationText, type Violation } from './rules.table.js';
export { readWorkspace, type Package, type Workspace } from './workspace.js';

/** Returns all violations in the workspace. */
export function checkWorkspace(workspace: Workspace): Violation[] {
  const found = checkPackages(workspace);
  for (const one of workspace.packages) {
    const madeForTests = TEST_ONLY_PACKAGES.includes(one.name.slice(SCOPE.length));
    for (const source of one.files) found.push(...checkImports(workspace, one, parse(source, madeForTests)));
  }
  return found;
}
