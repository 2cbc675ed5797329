import { MerchantUsage } from './merchant.usage.js';

describe('The usage of merchants', () => {
  let now = 0;
  let usage: MerchantUsage;
  beforeEach(() => {
    now = 0;
    usage = new MerchantUsage(() => now);
  });

  it('is above the share of a merchant if it is above the mean', () => {
    usage.add('mer_A', 3);
    usage.add('mer_B', 2);
    usage.add('mer_C', 0);
    expect(['mer_A', 'mer_B', 'mer_C', 'mer_D'].map((id) => usage.isAboveShare(id))).toEqual([
      true,
      true,
      false,
      false,
    ]);
  });

  it('counts less and less', () => {
    usage.add('mer_A', 10);
    now = 1_500;
    usage.add('mer_B', 3);
    expect([usage.isAboveShare('mer_A'), usage.isAboveShare('mer_B')]).toEqual([false, true]);
  });

  it('of a merchant alone is nobody else’s', () => {
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
