import { randomBytes } from 'node:crypto';
import { deliverySealer } from './delivery.seals.js';

const body = Buffer.from('{"event":{"id":"evt_1"}}');

describe('A sealed body of a webhook', () => {
  it('is opened under its event only, and has no plain text', () => {
    const key = randomBytes(32);
    const sealer = deliverySealer(() => [key]);
    const sealed = sealer.sealBody('evt_1', body);
    expect(Buffer.from(sealed).includes('event')).toBe(false);
    expect(Buffer.from(sealer.openBody('evt_1', sealed))).toEqual(body);
    expect(() => sealer.openBody('evt_2', sealed)).toThrow('can not be opened');
    expect(sealer.openAnswer('evt_1', sealed)).toBeUndefined();
  });

  it('is opened after a rotation as long as the old master key is present', () => {
    const [old, current] = [randomBytes(32), randomBytes(32)];
    const sealed = deliverySealer(() => [old]).sealBody('evt_1', body);
    expect(Buffer.from(deliverySealer(() => [current, old]).openBody('evt_1', sealed))).toEqual(body);
    expect(() => deliverySealer(() => [current]).openBody('evt_1', sealed)).toThrow('master keys');
  });
});

it('A sealed answer is opened under its delivery only', () => {
  const key = randomBytes(32);
  const sealer = deliverySealer(() => [key]);
  const sealed = sealer.sealAnswer('dlv_1', body);
  expect(Buffer.from(sealer.openAnswer('dlv_1', sealed) ?? [])).toEqual(body);
  expect(sealer.openAnswer('dlv_2', sealed)).toBeUndefined();
  expect(sealer.openAnswer('dlv_1', sealed.subarray(0, 20))).toBeUndefined();
});
