import { fileURLToPath } from 'node:url';
import { checkWorkspace, readWorkspace, violationText } from './index.js';

describe('The house keeps its own rules:', () => {
  const workspace = readWorkspace(fileURLToPath(new URL('../../..', import.meta.url)));

  it('no source breaks one', () => {
    expect(checkWorkspace(workspace).map(violationText)).toEqual([]);
  });

  it('and all of it was looked at', () => {
    const folders = workspace.packages.map(({ folder }) => folder);
    expect(folders).toEqual(expect.arrayContaining(['apps/api', 'libs/domain', 'tools/architecture']));
    const files = workspace.packages.flatMap((one) => one.files.map(({ path }) => path));
    expect(files).toContain('libs/domain/src/payment/payment.decide.ts');
    expect(files).toContain('tools/architecture/src/architecture.spec.ts');
  });
});
