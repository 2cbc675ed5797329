import { setTimeout } from 'node:timers/promises';
import { MemoryLeases } from '@tillstream/event-consumers/testing';
import { withStartupLease } from './startup.lease.js';

describe('The lease of a start', () => {
  it('lets one machine work at a time, and the next one also after a failure', async () => {
    const first = new MemoryLeases();
    const seen: string[] = [];
    const starting = [first, first.otherHolder(), first.otherHolder()].map((leases, machine) =>
      withStartupLease(leases, async () => {
        seen.push(`${machine} begins`);
        await setTimeout(20);
        seen.push(`${machine} ends`);
        if (machine === 0) throw new Error('no');
      }),
    );
    const results = await Promise.allSettled(starting);
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'fulfilled']);
    for (let at = 0; at < seen.length; at += 2) {
      expect(seen[at + 1]).toBe(seen[at]?.replace('begins', 'ends'));
    }
  });
});
