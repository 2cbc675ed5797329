import { crashPoints } from './crash-points.js';

describe('A crash point', () => {
  it('ends the process at the nth time of getting there, and nowhere else', () => {
    const signals: string[] = [];
    const points = crashPoints({ point: 'after-send', nth: 2, signal: 'SIGKILL' }, (signal) =>
      signals.push(signal),
    );
    points.reached('before-send');
    points.reached('after-send');
    expect(signals).toEqual([]);
    points.reached('after-send');
    expect(signals).toEqual(['SIGKILL']);
  });

  it('that is not set does nothing', () => {
    const signals: string[] = [];
    crashPoints(undefined, (signal) => signals.push(signal)).reached('after-send');
    expect(signals).toEqual([]);
  });
});
