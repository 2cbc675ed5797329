import { encryptedDataContext, newDataKey, unwrapDataKey, wrapDataKey, type KeyClass } from './data-key.js';
import { encryptBox, decryptBox } from './encrypted-box.js';
import { MasterKey } from '../keys/master-key.js';
import { newMasterKey } from '../sqlite/sqlite-vaults.fixture.js';

const master = new MasterKey(newMasterKey());

describe('A wrapped key', () => {
  const key = newDataKey();
  const context = { version: 1, keyClass: 'Card', subject: 'acc_1' } as const;
  const box = wrapDataKey(key, master, context);

  it('unwraps to the same key, and hides it', () => {
    expect(unwrapDataKey(box, master, context)).toEqual(key);
    expect(box.includes(key)).toBe(false);
    expect(wrapDataKey(key, master, context)).not.toEqual(box);
  });

  it.each<[string, MasterKey, number, KeyClass, string]>([
    ['another master key', new MasterKey(newMasterKey()), 1, 'Card', 'acc_1'],
    ['another version', master, 2, 'Card', 'acc_1'],
    ['another class', master, 1, 'Personal', 'acc_1'],
    ['another subject', master, 1, 'Card', 'acc_2'],
  ])('does not open under %s', (_, other, version, keyClass, subject) => {
    expect(unwrapDataKey(box, other, { version, keyClass, subject })).toBeUndefined();
  });

  it('does not unwrap if any bit is changed or the end is cut', () => {
    for (let bit = 0; bit < box.length * 8; bit++) {
      const changed = Buffer.from(box);
      changed.writeUInt8(changed.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3);
      expect(unwrapDataKey(changed, master, context)).toBeUndefined();
    }
    for (let length = 0; length < box.length; length++)
      expect(unwrapDataKey(box.subarray(0, length), master, context)).toBeUndefined();
  });
});

describe('Encrypted data', () => {
  it('opens with its own class and subject only', () => {
    const key = newDataKey();
    const box = encryptBox(key, Buffer.from('Ada'), encryptedDataContext('Personal', 'acc_1'));
    expect(decryptBox(key, box, encryptedDataContext('Personal', 'acc_1'))?.toString()).toBe('Ada');
    expect(decryptBox(key, box, encryptedDataContext('Personal', 'acc_2'))).toBeUndefined();
    expect(decryptBox(key, box, encryptedDataContext('Card', 'acc_1'))).toBeUndefined();
  });
});
