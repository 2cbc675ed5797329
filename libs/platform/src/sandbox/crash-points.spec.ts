import { crashPoints } from './crash-points.js';

describe('A crash point', () => {
  it('ends the process when it is reached for the nth time, and not before', () => {
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

  it('does nothing if it is not configured', () => {
    const signals: string[] = [];
    crashPoints(undefined, (signal) => signals.push(signal)).reached('after-send');
    expect(signals).toEqual([]);
  });
});
