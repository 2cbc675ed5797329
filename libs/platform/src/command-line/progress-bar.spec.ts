import { jest } from '@jest/globals';
import { Writable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { ProgressBar } from './progress-bar.js';

describe('a progress bar', () => {
  let drawn: string;
  let lines: string[];
  const error = (text: string): void => void lines.push(text);
  const screen = (): NodeJS.WritableStream =>
    Object.assign(
      new Writable({
        write(chunk, _, done) {
          drawn += String(chunk);
          done();
        },
      }),
      { isTTY: true, columns: 120 },
    );

  beforeEach(() => {
    [drawn, lines] = ['', []];
  });
  afterEach(() => jest.useRealTimers());

  it('shows percentage, count and total on a terminal, and is removed at the end', async () => {
    const bar = new ProgressBar({ error, screen: screen() }, 'events');
    bar.start('Copying', 10_000);
    await pause(50);
    bar.add(2_500);
    await pause(450);
    bar.stop();
    expect(drawn).toMatch(/Copying \[#{5}\.{15}\] 25 %, 2,500 of 10,000 events, [\d,]+\/s, \d+ s left/);
    expect(drawn).toMatch(/\x1b\[1G\x1b\[2K$/);
    expect(lines).toEqual([]);
  });

  it('shows the count alone where the total is not known', () => {
    const bar = new ProgressBar({ error, screen: screen() }, 'events');
    bar.start('Comparing');
    bar.update(1_200);
    bar.stop();
    expect(drawn).toContain('Comparing 1,200 events');
    expect(drawn).not.toContain('%');
  });

  it('elsewhere is a line every ten seconds', () => {
    jest.useFakeTimers({ now: 0 });
    const bar = new ProgressBar({ error }, 'events');
    bar.start('Copying', 1_000_000);
    for (let second = 0; second < 25; second++) {
      jest.advanceTimersByTime(1000);
      bar.add(100);
    }
    bar.stop();
    expect(lines).toEqual([
      'Copying 1,000 of 1,000,000 events, 100/s, 2 h 46 min left',
      'Copying 2,000 of 1,000,000 events, 100/s, 2 h 46 min left',
    ]);
  });

  it('makes room for a line that stays', () => {
    const bar = new ProgressBar({ error, screen: screen() }, 'events');
    bar.start('Copying', 10);
    const before = drawn.length;
    bar.log('The target does not answer.');
    expect([drawn.slice(before), lines]).toEqual(['\x1b[1G\x1b[2K', ['The target does not answer.']]);
    bar.stop();
  });
});
