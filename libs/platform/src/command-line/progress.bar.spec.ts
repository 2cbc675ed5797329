import { Progress } from './progress.bar.js';

describe('progress', () => {
  let now = 1000;
  let notes: string[];
  let shown: string[];
  const note = (text: string): void => void notes.push(text);
  const replace = (text: string): void => void shown.push(text);

  beforeEach(() => {
    notes = [];
    shown = [];
  });

  it('on a terminal replaces itself at most five times a second, with count, rate and time left', () => {
    const progress = new Progress({ note, replace }, 'events', () => now);
    progress.start('Copying', 10_000);
    shown.length = 0;
    for (let tick = 0; tick < 20; tick++) {
      now += 50;
      progress.add(125);
    }
    expect(shown).toEqual([
      'Copying [#...................] 5 %, 500 of 10,000 events, 2,500/s, 4 s left',
      'Copying [##..................] 10 %, 1,000 of 10,000 events, 2,500/s, 4 s left',
      'Copying [###.................] 15 %, 1,500 of 10,000 events, 2,500/s, 4 s left',
      'Copying [####................] 20 %, 2,000 of 10,000 events, 2,500/s, 4 s left',
      'Copying [#####...............] 25 %, 2,500 of 10,000 events, 2,500/s, 3 s left',
    ]);
    progress.end();
    expect([shown.at(-1), notes]).toEqual(['', []]);
  });

  it('elsewhere is a line every ten seconds', () => {
    const progress = new Progress({ note }, 'events', () => now);
    progress.start('Copying', 1_000_000);
    for (let second = 0; second < 25; second++) {
      now += 1000;
      progress.add(100);
    }
    progress.end();
    expect(notes).toEqual([
      expect.stringMatching(/^Copying \[\.{20}\] 0 %, 1,000 of 1,000,000 events, 100\/s, 2 h 46 min left$/),
      expect.stringMatching(/^Copying .* 2,000 of 1,000,000 events, 100\/s/),
    ]);
  });

  it('tells the rate of the last seconds, not of all that was', () => {
    const progress = new Progress({ note, replace }, 'events', () => now);
    progress.start('Copying', 1_000_000);
    for (const perSecond of [1000, 10]) {
      for (let second = 0; second < 20; second++) {
        now += 1000;
        progress.add(perSecond);
      }
    }
    expect(shown.at(-1)).toContain(' 10/s, 27 h ');
  });

  it('knows no share and no time left where nobody knows the total, or it was wrong', () => {
    const progress = new Progress({ note, replace }, 'events', () => now);
    for (const total of [undefined, 100]) {
      progress.start('Comparing', total);
      now += 500;
      progress.add(200);
      expect(shown.at(-1)).toBe('Comparing 200 events, 400/s');
    }
  });

  it('can be told where it is, instead of what was added, without naming a phase', () => {
    const progress = new Progress({ note, replace }, 'subjects', () => now);
    for (let tick = 1; tick <= 12; tick++) {
      now += 50;
      progress.setProgress(tick * 125, 1_500);
    }
    progress.end();
    expect([notes, shown]).toEqual([
      [],
      [
        '[######..............] 33 %, 500 of 1,500 subjects, 2,500/s, 1 s left',
        '[#############.......] 66 %, 1,000 of 1,500 subjects, 2,500/s, 1 s left',
        '[####################] 100 %, 1,500 of 1,500 subjects, 2,500/s, 0 s left',
        '',
      ],
    ]);
  });

  it('makes room for a line that stays', () => {
    const progress = new Progress({ note, replace }, 'events', () => now);
    progress.print('Waiting.');
    expect([shown, notes]).toEqual([[''], ['Waiting.']]);
  });
});
