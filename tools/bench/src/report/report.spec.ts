import type { Bench } from '../bench.types.js';
import { markdown, withSections } from './report.js';

const bench: Bench = { name: 'long', title: 'Something long', method: '', run: () => Promise.resolve([]) };
const other: Bench = { ...bench, name: 'other', title: 'Something else' };
const figure = (value: number) => ({ name: 'sales', value, unit: '/s', meaning: '' }) as const;

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

  it('takes the sections of a later run in place of its own, with the commit and machine of that run', () => {
    const page = markdown(
      [['Commit', 'one']],
      [
        { bench, figures: [figure(1)] },
        { bench: other, figures: [figure(2)] },
      ],
    );
    const later = withSections(page, [['Commit', 'two']], [{ bench, figures: [figure(3)] }]);
    expect(later).toBe(
      page.replace('| sales | 1/s |  |  |', '| sales | 3/s |  |  |\n\nA run by itself. Commit: two.'),
    );
  });

  it('takes a section that its run left out', () => {
    const page = markdown([], [{ bench: other, figures: [figure(2)] }], [bench]);
    const later = withSections(page, [['Commit', 'two']], [{ bench, figures: [figure(3)] }]);
    expect(later).not.toContain('Not in this run');
    expect(later).toContain('\n\n## Something long\n');
    expect(later).toContain('|---|---|\n\n## Something else');
    expect(later.split('\n').filter((line) => line.startsWith('## '))).toEqual([
      '## Something else',
      '## Something long',
    ]);
    expect(withSections(later, [['Commit', 'three']], [{ bench, figures: [figure(4)] }])).toBe(
      later.replace('3/s', '4/s').replace('Commit: two', 'Commit: three'),
    );
  });
});
