import { jest } from '@jest/globals';
import { tableShape } from '@tillstream/read-models';
import { WalCheckpointer } from './wal.checkpointer.js';
import type { Generation } from './generation.js';
import type { OpenGenerations } from './open.generations.js';

const { rowsVersion, layout } = tableShape('transactions');
const live = { projection: 'transactions', status: 'Live', rowsVersion, layout } as Generation;

/** `checkpointWal` as a file has it: whether anything was written since the last one. */
function checkpointsOf(checkpoint: () => boolean, generations = [live]): WalCheckpointer {
  return new WalCheckpointer({
    generations: () => generations,
    fileOf: () => ({ checkpointWal: checkpoint }),
  } as never as OpenGenerations);
}

describe('Live files are checkpointed', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  it('four times a second while no process writes, and every 50 ms while one writes', () => {
    let written = false;
    const checkpoint = jest.fn(() => written);
    const checkpoints = checkpointsOf(checkpoint);
    checkpoints.start();
    jest.advanceTimersByTime(1_000);
    expect(checkpoint).toHaveBeenCalledTimes(4);
    written = true;
    jest.advanceTimersByTime(1_000);
    expect(checkpoint).toHaveBeenCalledTimes(4 + 1 + 15);
    checkpoints.stop();
    jest.advanceTimersByTime(1_000);
    expect(checkpoint).toHaveBeenCalledTimes(4 + 1 + 15);
  });

  it('again after a checkpoint failed', () => {
    const checkpoint = jest.fn((): boolean => {
      throw new Error('the disk is full');
    });
    const checkpoints = checkpointsOf(checkpoint);
    checkpoints.start();
    jest.advanceTimersByTime(1_000);
    expect(checkpoint).toHaveBeenCalledTimes(4);
    checkpoints.stop();
  });

  it('except announced generations and those of a newer program', () => {
    const checkpoint = jest.fn(() => true);
    const newer = { ...live, rowsVersion: rowsVersion + 1 };
    const checkpoints = checkpointsOf(checkpoint, [{ ...live, status: 'Next' }, newer]);
    checkpoints.start();
    jest.advanceTimersByTime(1_000);
    expect(checkpoint).not.toHaveBeenCalled();
    checkpoints.stop();
  });
});
