import { MerchantUsage } from './merchant.usage.js';

describe('The usage of merchants', () => {
  let now = 0;
  let usage: MerchantUsage;
  beforeEach(() => {
    now = 0;
    usage = new MerchantUsage(() => now);
  });

  const MERCHANTS = ['mer_A', 'mer_B', 'mer_C', 'mer_D'];
  const excesses = () => MERCHANTS.map((id) => Math.round(usage.excess(id) * 100) / 100);

  it('exceeds the share of a merchant, of as many as have a request in flight', () => {
    for (const id of MERCHANTS.slice(0, 3)) usage.setActive(id, true);
    now = 1_900;
    usage.add('mer_A', 4);
    usage.add('mer_B', 2);
    expect(excesses()).toEqual([1, 0, 0, 0]);
  });

  it('exceeds no share because of merchants that have seldom a request in flight', () => {
    usage.setActive('mer_A', true);
    usage.setActive('mer_B', true);
    now = 1_900;
    usage.add('mer_A', 3);
    usage.add('mer_B', 3);
    for (const id of ['mer_C', 'mer_D']) usage.add(id, 0);
    expect(excesses()).toEqual([0, 0, 0, 0]);
  });

  it('counts less and less', () => {
    usage.setActive('mer_A', true);
    usage.setActive('mer_B', true);
    usage.add('mer_A', 10);
    now = 1_500;
    usage.add('mer_B', 3);
    expect(usage.excess('mer_A')).toBe(0);
    expect(usage.excess('mer_B')).toBeGreaterThan(0);
  });

  it('has how many other merchants had a request in flight, on average', () => {
    usage.setActive('mer_A', true);
    usage.setActive('mer_B', true);
    expect(usage.activeOthers('mer_B')).toBe(0);
    now = 250;
    expect(usage.activeOthers('mer_B')).toBeCloseTo(1 - 1 / Math.E);
    usage.setActive('mer_A', false);
    usage.setActive('mer_C', true);
    now = 20_000;
    expect(['mer_A', 'mer_B', 'mer_C'].map((id) => Math.round(usage.activeOthers(id)))).toEqual([2, 1, 1]);
  });

  it('forgets a merchant that has sent no request for some time, until one of its requests ends', () => {
    usage.add('mer_A', 1);
    usage.setActive('mer_A', true);
    now = 60_000;
    usage.add('mer_B', 1);
    now = 120_000;
    expect(usage.activeOthers('mer_B')).toBeCloseTo(0);
    usage.setActive('mer_A', true);
    now = 121_500;
    expect(Math.round(usage.activeOthers('mer_B'))).toBe(1);
  });

  it('of a merchant alone does not count for another merchant', () => {
    expect(usage.isAlone('mer_A')).toBe(true);
    usage.add('mer_A', 1);
    expect([usage.isAlone('mer_A'), usage.isAlone('mer_B')]).toEqual([true, false]);
    usage.add('mer_B', 0);
    now = 1_900;
    usage.add('mer_A', 1);
    expect(usage.isAlone('mer_A')).toBe(false);
    now = 3_900;
    expect([usage.isAlone('mer_A'), usage.isAlone('mer_B')]).toEqual([true, true]);
  });
});
