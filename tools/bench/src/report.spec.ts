import type { Bench } from './bench.types.js';
import { markdown } from './report.js';

const bench: Bench = { name: 'long', title: 'Something long', method: '', run: () => Promise.resolve([]) };

describe('docs/benchmarks.md', () => {
  it('says what its run left out, and nothing where it left out nothing', () => {
    expect(markdown([], [], [bench])).toContain(
      'Not in this run: Something long (`npm run bench -- long` by itself',
    );
    expect(markdown([], [])).not.toContain('Not in this run');
  });

  it('says which benchmark failed, and why', () => {
    const report = markdown([], [{ bench, figures: [], failure: 'Error: the disk is full' }]);
    expect(report).toContain('## Something long\n\nIt failed in this run');
    expect(report).toContain('the disk is full');
  });
});
