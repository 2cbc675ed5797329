import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { durableWrites } from './durable.writes.js';

describe('durable writes at a pace', () => {
  it('are as many as the pace asks for, each waiting from its instant on for a sync that began after it', () => {
    const folder = mkdtempSync(join(tmpdir(), 'tillstream-bench-'));
    try {
      const startedAt = performance.now();
      const latencies = durableWrites(join(folder, 'log'), 200, 300);
      expect(performance.now() - startedAt).toBeGreaterThanOrEqual(295);
      expect(latencies).toHaveLength(60);
      expect(Math.min(...latencies)).toBeGreaterThan(0);
      expect(statSync(join(folder, 'log')).size).toBe(2_000 * 4096);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
