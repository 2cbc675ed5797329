import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { setImmediate } from 'node:timers/promises';
import type { ClockOffset } from '../ports/clock-offset.port.js';

/** The storage of the clock's offset for one test, which opens it several times. */
export interface ClockOffsetPlace {
  /** Opens it as another process does. `realNow`: that process's real time. */
  open(realNow: () => number): Promise<ClockOffset>;
  /** Closes all open offsets. The stored offset stays. */
  closeAll(): Promise<void>;
  remove(): Promise<void>;
}

const START = Date.UTC(2030, 0, 1);

/** The contract of every adapter of `ClockOffset`. */
export function clockOffsetContract(name: string, makePlace: () => Promise<ClockOffsetPlace>): void {
  let place: ClockOffsetPlace;
  let real = START;
  let offset: ClockOffset;
  const open = () => place.open(() => real);
  const now = (of = offset): number => real + of.offsetMs();
  const rejected = (code: string): unknown => expect.objectContaining({ name: 'ClockMoveError', code });

  beforeEach(async () => {
    real = START;
    place = await makePlace();
    offset = await open();
  });
  afterEach(async () => {
    await place.closeAll();
    await place.remove();
  });

  describe(`the service's clock in ${name}`, () => {
    it('is real time until it is advanced', () => {
      expect(now()).toBe(START);
      real += 5;
      expect(now()).toBe(START + 5);
    });

    it('is the same in every process from its next turn on, and after a restart', async () => {
      const other = await open();
      expect(now(other)).toBe(START);
      await offset.advance(3_600);
      expect(now()).toBe(START + 3_600_000);
      await setImmediate();
      expect(now(other)).toBe(START + 3_600_000);
      await other.advance(1);
      await place.closeAll();
      expect((await open()).offsetMs() / 1000).toBe(3_601);
    });

    it('adds up what several processes advance at the same time', async () => {
      const others = [await open(), await open()];
      await Promise.all([offset, ...others].flatMap((each) => [each.advance(10), each.advance(1)]));
      await setImmediate();
      for (const each of [offset, ...others]) expect(each.offsetMs()).toBe(33_000);
    });

    it('never goes back when two processes move it at the same time', async () => {
      const other = await open();
      const moves = [offset.moveTo(START + 9_000), other.moveTo(START + 5_000), offset.advance(2)];
      await Promise.allSettled(moves);
      await setImmediate();
      expect(now()).toBeGreaterThanOrEqual(START + 9_000);
      expect(now(other)).toBe(now());
    });

    it('moves to a time, and runs on from there', async () => {
      await offset.moveTo(START + 10_500);
      real += 1_000;
      expect(now()).toBe(START + 11_500);
    });

    it('rejects a move backwards', async () => {
      await offset.advance(10);
      await expect(offset.moveTo(START + 9_999)).rejects.toEqual(rejected('Backwards'));
      await expect(offset.moveTo(START + 10_000)).rejects.toEqual(rejected('Backwards'));
      expect(now()).toBe(START + 10_000);
    });

    it.each([0, -1, 1.5, 31_536_001, NaN])('rejects an advance by %s s', async (seconds) => {
      await expect(offset.advance(seconds)).rejects.toEqual(rejected('OutOfRange'));
      expect(now()).toBe(START);
    });

    it('ends with the year 9999', async () => {
      await expect(offset.moveTo(Date.UTC(10_000, 0, 1))).rejects.toEqual(rejected('OutOfRange'));
      await expect(offset.moveTo(NaN)).rejects.toEqual(rejected('OutOfRange'));
      await offset.moveTo(Date.UTC(9999, 11, 30, 23));
      await expect(offset.advance(3_601)).rejects.toEqual(rejected('OutOfRange'));
      await expect(offset.advance(3_600)).resolves.toBeUndefined();
    });
  });
}
