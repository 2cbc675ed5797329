import { checkImports } from './imports.check.js';
import { checkPackages } from './packages.check.js';
import { checkPurity } from './purity.check.js';
import { SCOPE, TEST_ONLY_PACKAGES } from './rules.table.js';
import { parse } from './source.file.js';
import { checkStyle } from './style.check.js';
import type { Violation } from './violation.js';
import type { Workspace } from './workspace.js';

export { violationText, type Rule, type Violation } from './violation.js';
export { readWorkspace, type Package, type SourceText, type Workspace } from './workspace.js';

/** Returns all violations in the workspace. */
export function checkWorkspace(workspace: Workspace): Violation[] {
  const found = checkPackages(workspace);
  for (const one of workspace.packages) {
    const madeForTests = TEST_ONLY_PACKAGES.includes(one.name.slice(SCOPE.length));
    for (const file of one.files.map((source) => parse(source, madeForTests))) {
      found.push(...checkImports(workspace, one, file), ...checkPurity(one, file), ...checkStyle(file));
    }
  }
  return found;
}
