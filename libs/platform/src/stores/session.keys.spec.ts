import { sessionKeysOf } from './session.keys.js';

const master = (byte: number): Uint8Array => Buffer.alloc(32, byte);

describe('the keys of session ids', () => {
  it('follow from the master keys, in their order, and reveal none of them', () => {
    const keys = sessionKeysOf(() => [master(1), master(2)])();
    expect(keys).toEqual([...sessionKeysOf(() => [master(1)])(), ...sessionKeysOf(() => [master(2)])()]);
    expect(keys).not.toContainEqual(new Uint8Array(master(1)));
    expect(new Set(keys.map((key) => Buffer.from(key).toString('hex'))).size).toBe(2);
  });

  it('are not read again for every call', () => {
    let reads = 0;
    const keys = sessionKeysOf(() => {
      reads += 1;
      return [master(1)];
    });
    keys();
    keys();
    expect(reads).toBe(1);
  });
});
