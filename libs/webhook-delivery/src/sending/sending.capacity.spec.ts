import { SendingCapacity } from './sending.capacity.js';

const SLOW = 15_000;
const QUICK = 10;

const capacity = (total = 100, perMerchant = 50): SendingCapacity =>
  new SendingCapacity({ total, perMerchant, perEndpoint: 8 });

describe('The places for deliveries in flight', () => {
  it('are bounded for an endpoint, which is full at its limit', () => {
    const places = capacity();
    expect(places.take('whe_1', 'mer_1', 8)).toBe(8);
    expect([...places.full()]).toEqual(['whe_1']);
    places.giveBack('whe_1', QUICK);
    expect(places.full().size).toBe(0);
    expect(places.inFlight).toBe(7);
  });

  it('are bounded for a merchant: its other endpoints wait until one is given back', () => {
    const places = capacity(100, 10);
    expect(places.take('whe_1', 'mer_1', 8)).toBe(8);
    expect(places.take('whe_2', 'mer_1', 8)).toBe(2);
    expect(places.take('whe_3', 'mer_1', 8)).toBe(0);
    expect(places.take('whe_4', 'mer_2', 8)).toBe(8);
    expect([...places.full()].sort()).toEqual(['whe_1', 'whe_2', 'whe_3', 'whe_4']);
    places.giveBack('whe_2', QUICK);
    expect([...places.full()].sort()).toEqual(['whe_1', 'whe_4']);
    expect(places.shares(['whe_2', 'whe_3', 'whe_5'])).toEqual([
      { endpointIds: ['whe_5'], perEndpointMax: 8, limit: 83 },
      { endpointIds: ['whe_2', 'whe_3'], perEndpointMax: 8, limit: 1 },
    ]);
  });

  it('are one for a slow endpoint, until it answers quickly again', () => {
    const places = capacity();
    places.take('whe_1', 'mer_1', 1);
    places.giveBack('whe_1', SLOW);
    expect(places.shares(['whe_1', 'whe_2'])).toEqual([
      { endpointIds: ['whe_2'], perEndpointMax: 8, limit: 99 },
      { endpointIds: ['whe_1'], perEndpointMax: 1, limit: 1 },
    ]);
    places.take('whe_1', 'mer_1', 1);
    expect([...places.full()]).toEqual(['whe_1']);
    places.giveBack('whe_1', QUICK);
    expect(places.shares(['whe_1'])).toEqual([{ endpointIds: ['whe_1'], perEndpointMax: 8, limit: 100 }]);
  });

  it('are at most half for all slow endpoints together, so that quick ones always have places', () => {
    const places = capacity(10, 100);
    const slow = Array.from({ length: 20 }, (_, index) => `whe_${index}`);
    for (const id of slow) {
      places.take(id, 'mer_1', 1);
      places.giveBack(id, SLOW);
    }
    const [share] = places.shares(slow);
    expect(share).toMatchObject({ perEndpointMax: 1, limit: 5 });
    for (const id of slow.slice(0, 5)) places.take(id, 'mer_1', 1);
    expect(slow.every((id) => places.full().has(id))).toBe(true);
    expect(places.shares([...slow, 'whe_quick'])).toEqual([
      { endpointIds: ['whe_quick'], perEndpointMax: 8, limit: 5 },
    ]);
  });
});
