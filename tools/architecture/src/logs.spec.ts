import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readWorkspace } from './workspace.js';

const root = fileURLToPath(new URL('../../..', import.meta.url));

/** Of level `error`, however it is called where it is written. */
const WRITTEN = /(?:\.error|\.failed|#failed)\(\s*'([a-z]+(?:-[a-z]+)*)'/g;

describe('Log lines of level warn and error', () => {
  it('are all listed in docs/operations.md', () => {
    const operations = readFileSync(join(root, 'docs/operations.md'), 'utf8');
    const files = readWorkspace(root)
      .packages.filter(({ kind }) => kind !== 'tools')
      .flatMap(({ files }) => files)
      .filter(({ path }) => !path.endsWith('.spec.ts'));
    const events = files.flatMap(({ text }) => [...text.matchAll(WRITTEN)].map(([, event]) => event));
    expect(new Set(events).size).toBeGreaterThan(20);
    expect(events.filter((event) => !operations.includes(`\`${event}\``))).toEqual([]);
  });
});
