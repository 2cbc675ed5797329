import { ProgressBar } from './progress.bar.js';

describe('progress', () => {
  let now = 1000;
  const notes: string[] = [];
  const shown: string[] = [];
  const note = (text: string): void => void notes.push(text);
  const replace = (text: string): void => void shown.push(text);

  beforeEach(() => {
    notes.length = shown.length = 0;
  });

  it('on a terminal replaces itself at most five times a second, with count, rate and time left', () => {
    const bar = new ProgressBar({ note, replace }, 'subjects', () => now);
    for (let tick = 1; tick <= 12; tick++) {
      now += 50;
      bar.show(tick * 125, 1_500);
    }
    bar.end();
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

  it('elsewhere is a line every ten seconds', () => {
    const bar = new ProgressBar({ note }, 'subjects', () => now);
    for (let second = 1; second <= 25; second++) {
      now += 1000;
      bar.show(second * 100, 1_000_000);
    }
    bar.end();
    expect(notes).toEqual([
      '[....................] 0 %, 1,000 of 1,000,000 subjects, 100/s, 2 h 46 min left',
      '[....................] 0 %, 2,000 of 1,000,000 subjects, 100/s, 2 h 46 min left',
    ]);
  });
});
