import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Leases } from '../leases.port.js';

export interface LeasesUnderTest {
  /** Returns a new holder of the same leases at each call. */
  holder(): Leases;
  close(): Promise<void> | void;
}

/**
 * The rules of the port `Leases`. The spec of each adapter calls it.
 * @param slowness for an adapter whose calls take longer than a few ms: multiplies the times of the tests
 */
export function leasesContract(
  name: string,
  open: () => LeasesUnderTest | Promise<LeasesUnderTest>,
  slowness = 1,
): void {
  describe(`leases in ${name}`, () => {
    const LONG_MS = 60_000;
    let place: LeasesUnderTest;
    let a: Leases;
    let b: Leases;
    beforeEach(async () => {
      place = await open();
      a = place.holder();
      b = place.holder();
    });
    afterEach(() => place.close());

    it('belong to one holder at a time, which may hold them again', async () => {
      expect(await a.hold('work', LONG_MS)).toBe(true);
      expect(await b.hold('work', LONG_MS)).toBe(false);
      expect(await a.hold('work', LONG_MS)).toBe(true);
      expect(await b.hold('other work', LONG_MS)).toBe(true);
    });

    it('are taken over when they run out, and the earlier holder does not get them back', async () => {
      expect(await a.hold('work', 20 * slowness)).toBe(true);
      await sleep(30 * slowness);
      expect(await a.isHeld('work')).toBe(false);
      expect(await b.hold('work', LONG_MS)).toBe(true);
      expect(await a.hold('work', LONG_MS)).toBe(false);
    });

    it('are extended from the time of the call', async () => {
      expect(await a.hold('work', 150 * slowness)).toBe(true);
      await sleep(100 * slowness);
      expect(await a.hold('work', 150 * slowness)).toBe(true);
      await sleep(80 * slowness);
      expect(await b.hold('work', 150 * slowness)).toBe(false);
    });

    it('are free as soon as their holder releases them; another holder cannot release them', async () => {
      expect(await a.hold('work', LONG_MS)).toBe(true);
      await b.release('work');
      expect(await b.hold('work', LONG_MS)).toBe(false);
      await a.release('work');
      expect(await b.hold('work', LONG_MS)).toBe(true);
      await a.release('work');
      expect(await b.isHeld('work')).toBe(true);
    });

    it('can be checked by every holder', async () => {
      expect(await b.isHeld('work')).toBe(false);
      await a.hold('work', LONG_MS);
      expect(await a.isHeld('work')).toBe(true);
      expect(await b.isHeld('work')).toBe(true);
      await a.release('work');
      expect(await b.isHeld('work')).toBe(false);
    });
  });
}
