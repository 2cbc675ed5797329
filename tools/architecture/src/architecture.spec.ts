import { fileURLToPath } from 'node:url';
import { checkWorkspace, readWorkspace, violationText } from './index.js';
import { E2E_MODULES } from './rules.table.js';

describe('The workspace', () => {
  const workspace = readWorkspace(fileURLToPath(new URL('../../..', import.meta.url)));

  it('breaks no rule of the architecture', () => {
    expect(checkWorkspace(workspace).map(violationText)).toEqual([]);
  });

  it('is read completely', () => {
    const folders = workspace.packages.map(({ folder }) => folder);
    expect(folders).toEqual(expect.arrayContaining(['apps/api', 'libs/domain', 'tools/architecture']));
    const files = workspace.packages.flatMap((one) => one.files.map(({ path }) => path));
    expect(files).toContain('libs/domain/src/payment/payment.decide.ts');
    expect(files).toContain('tools/architecture/src/architecture.spec.ts');
    expect(files).toEqual(expect.arrayContaining(E2E_MODULES.filter((one) => one.endsWith('.ts'))));
  });
});
