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
});
