import { problemsOf, statusLines, type Status } from './status.report.js';

const status = (warnings: readonly string[]): Status => ({
  dataDir: '/data',
  mode: 'sandbox',
  version: '0.1.0',
  node: 'v20.20.2',
  events: { store: 'sqlite', name: 'sqlite', head: '5' },
  lists: [],
  consumers: [],
  unknownOutcomes: { open: 0, notLookedAt: 0 },
  batches: { open: 0, closing: 0 },
  freeDiskBytes: 1e9,
  service: { url: 'http://localhost:1', reachable: true, ready: true, reasons: [], warnings },
});

describe('A problem', () => {
  const events = { store: 'sqlite', name: 'sqlite', head: '5', history: 'aaaaaaaaaaaa' } as const;
  const well = status([]);
  const problems = (more: Partial<Status>) => problemsOf({ ...well, events, ...more }, 1);
  const service = (history: string) => ({ service: { ...well.service!, history } });

  it('is a service that has other events than the data directory', () => {
    expect(problems(service('bbbbbbbbbbbb'))).toEqual([
      expect.stringMatching(/has other events than DATA_DIR/),
    ]);
    expect(problems(service('aaaaaaaaaaaa'))).toEqual([]);
    expect(problems({})).toEqual([]);
  });

  it('is an operation that only an operator can resolve', () => {
    expect(problems({ unknownOutcomes: { open: 3, notLookedAt: 0 } })).toEqual([]);
    expect(problems({ unknownOutcomes: { open: 3, waitForOperator: 2, notLookedAt: 0 } })).toEqual([
      expect.stringMatching(/^the outcome of 2 operations can not be found out/),
    ]);
  });
});

describe('The last line of a status', () => {
  it.each([
    ['that all is well, where nothing is to be said', [], 'All is well.'],
    [
      'that an operator should check warnings of the service',
      ['processor sandbox is stopped by Ada'],
      'It works. Check the warnings above.',
    ],
  ])('says %s', (_, warnings, last) => {
    const lines = statusLines(status(warnings), []);
    expect(lines.at(-1)).toBe(last);
    for (const warning of warnings) expect(lines.join('\n')).toContain(`look at: ${warning}`);
  });

  it('names a problem, also if there are warnings', () => {
    expect(statusLines(status(['a warning']), ['the list tokens has halted']).at(-1)).toBe(
      'PROBLEM: the list tokens has halted.',
    );
  });
});
