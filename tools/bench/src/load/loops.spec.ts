import { setTimeout } from 'node:timers/promises';
import { backToBack, paced } from './loops.js';

/** Answers in a millisecond, but the first sale after a halt. */
const halting = (ms: number) => {
  let sales = 0;
  return { sell: () => setTimeout((sales += 1) === 1 ? ms : 1, undefined), sales: () => sales };
};

describe('the loops of the load driver', () => {
  it('charge an open loop for all that waited behind a halt, and make every planned sale', async () => {
    const seller = halting(300);
    const { p50, p99, lateP99 } = await paced([seller], 400, 100);
    expect(seller.sales()).toBe(40);
    // Of 40 instants, 10 ms apart, 30 came during the halt: sent and answered right after it, they took up to 300 ms.
    expect(p50).toBeGreaterThan(80);
    expect(p99).toBeGreaterThan(290);
    expect(lateP99).toBeGreaterThan(250);
  });

  it('charge a closed loop for one sale only: nothing else was asked', async () => {
    const { p50, lateP99 } = await backToBack([halting(100)], 400);
    expect(p50).toBeLessThan(50);
    expect(lateP99).toBe(0);
  });

  it('count a sale that was refused, but not as one that was made', async () => {
    let sales = 0;
    const refusing = { sell: () => setTimeout(1, (sales += 1) === 7 ? 'HTTP/1.1 500' : undefined) };
    const { rate, refused } = await backToBack([refusing], 400);
    expect(refused).toBe(1);
    expect(rate).toBeLessThan(sales / 0.4);
  });

  it('fail where more than one of a hundred is refused', async () => {
    const refusing = { sell: () => setTimeout(1, 'HTTP/1.1 500') };
    await expect(backToBack([refusing], 100)).rejects.toThrow(/\d+ of \d+ sales were refused.*HTTP\/1.1 500/);
  });

  it('fail where a sale does', async () => {
    const failing = { sell: () => Promise.reject(new Error('declined')) };
    await expect(paced([failing], 100, 100)).rejects.toThrow('declined');
    await expect(backToBack([failing], 100)).rejects.toThrow('declined');
  });
});
