import { randomBytes } from 'node:crypto';
import { deliverySealer } from './delivery.seals.js';

const body = Buffer.from('{"event":{"id":"evt_1"}}');

describe('A sealed body of a webhook', () => {
  it('is opened under its event only, and has no plain text', () => {
    const sealer = deliverySealer(randomBytes(32));
    const sealed = sealer.sealBody('evt_1', body);
    expect(Buffer.from(sealed).includes('event')).toBe(false);
    expect(Buffer.from(sealer.openBody('evt_1', sealed))).toEqual(body);
    expect(() => sealer.openBody('evt_2', sealed)).toThrow('can not be opened');
    expect(sealer.openAnswer('evt_1', sealed)).toBeUndefined();
  });

  it('is opened by every process with the same key, and by no other', () => {
    const key = randomBytes(32);
    const sealed = deliverySealer(key).sealBody('evt_1', body);
    expect(Buffer.from(deliverySealer(key).openBody('evt_1', sealed))).toEqual(body);
    expect(() => deliverySealer(randomBytes(32)).openBody('evt_1', sealed)).toThrow('can not be opened');
  });
});

it('A sealed answer is opened under its delivery only', () => {
  const sealer = deliverySealer(randomBytes(32));
  const sealed = sealer.sealAnswer('dlv_1', body);
  expect(Buffer.from(sealer.openAnswer('dlv_1', sealed) ?? [])).toEqual(body);
  expect(sealer.openAnswer('dlv_2', sealed)).toBeUndefined();
  expect(sealer.openAnswer('dlv_1', sealed.subarray(0, 20))).toBeUndefined();
});
