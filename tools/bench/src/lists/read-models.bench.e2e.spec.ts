import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readModelsBench } from './read-models.bench.js';

describe('the benchmark of lists', () => {
  it('measures pages by size and depth, and a rebuild, in a short run', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'tillstream-bench-'));
    try {
      const figures = await readModelsBench.run({ quick: true, folder, progress: () => undefined });
      expect(figures.map(({ name }) => name)).toEqual([
        'page by createdAt, 4,000 rows : 1,000 rows',
        'page 10 by createdAt : page 1',
        'page by updatedAt, 4,000 rows : 1,000 rows',
        'page 10 by updatedAt : page 1',
        'page by amount, 4,000 rows : 1,000 rows',
        'page 10 by amount : page 1',
        'rebuild of 4,000 events : reading them',
        'rebuild, rate at 4,000 events : at 1,000',
        'rebuild of 4,000 events, MB of memory at most',
      ]);
      for (const { name, value } of figures) expect([name, value > 0]).toEqual([name, true]);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }, 120_000);
});
