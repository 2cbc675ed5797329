import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { SecretSearch } from './secret.search.js';

const PAN = '4000056655665556';
const NAME = 'Ada Lovelace-7Kq2';
const KEY = createHash('sha384').update('a wrapped key').digest();
const search = new SecretSearch({
  numbers: [PAN, '378282246310005'],
  texts: [NAME],
  bytes: new Map([['the key of pmt_tkn_1', [KEY]]]),
});
const found = (bytes: Buffer): string[] => search.in('a file', bytes);

describe('What must not be anywhere is found', () => {
  it.each([
    ['as it is', Buffer.from(`{"card":"${PAN}"}`)],
    ['among other digits', Buffer.from(`99${PAN}00`)],
    ['in groups', Buffer.from('4000 0566 5566 5556')],
    ['with dashes', Buffer.from('n=4000-0566-5566-5556;')],
    ['one digit apart', Buffer.from([...PAN].join('.'))],
    ['in UTF-16', Buffer.from(`card ${PAN}`, 'utf16le')],
    ['in UTF-16 the other way round', Buffer.from(`card ${PAN}`, 'utf16le').swap16()],
    ['in groups in UTF-16', Buffer.from('4000 0566 5566 5556', 'utf16le')],
    ['in hex', Buffer.from(Buffer.from(PAN).toString('hex'))],
    ['packed', Buffer.concat([Buffer.alloc(3), Buffer.from(PAN, 'hex')])],
    ['as an integer', bigEndian(PAN)],
    ['as an integer the other way round', bigEndian(PAN).reverse()],
  ])('a card number %s', (_, bytes) => {
    expect(found(bytes)).toEqual([expect.stringMatching(/^a file: the number of 16 digits ending in 5556/)]);
  });

  it('a card number of 15 digits, packed too', () => {
    expect(found(Buffer.from('3782 822463 10005'))).toHaveLength(1);
    expect(found(Buffer.from('378282246310005f', 'hex'))).toHaveLength(1);
  });

  it('a card number, a name and a key in base64, wherever they begin', () => {
    for (const secret of [Buffer.from(PAN), Buffer.from(NAME), KEY]) {
      for (const before of ['', 'a', 'ab', 'abc']) {
        const bytes = Buffer.concat([Buffer.from(before), secret, Buffer.from('z')]);
        expect(found(Buffer.from(`"${bytes.toString('base64')}"`))).not.toEqual([]);
        expect(found(Buffer.from(`"${bytes.toString('base64url')}"`))).not.toEqual([]);
      }
    }
  });

  it.each([
    ['as it is', Buffer.from(`name ${NAME}`)],
    ['in small letters', Buffer.from(NAME.toLowerCase())],
    ['in UTF-16', Buffer.from(NAME, 'utf16le')],
    ['in hex', Buffer.from(Buffer.from(NAME).toString('hex').toUpperCase())],
  ])('a name %s', (_, bytes) => {
    expect(found(bytes)).not.toEqual([]);
  });

  it.each([0, 16, 32])('a third of a key that begins at byte %i of it', (start) => {
    const rest = Buffer.concat([Buffer.alloc(9), KEY.subarray(start, start + 16), Buffer.alloc(9)]);
    expect(found(rest)).toEqual(['a file: a part of the key of pmt_tkn_1 at byte 9']);
  });

  it('no text that is too short for the search: it is refused', () => {
    expect(() => new SecretSearch({ texts: ['"cvv":"'] })).toThrow('too short');
  });

  it('at the very end, too', () => {
    expect(found(Buffer.concat([Buffer.alloc(5), KEY.subarray(0, 16)]))).toHaveLength(1);
    expect(found(Buffer.from(PAN))).toHaveLength(1);
  });

  it('at any place of any bytes', () => {
    const bytes = fc.uint8Array({ maxLength: 200 });
    const secrets = fc.constantFrom(Buffer.from(`/${PAN}/`), Buffer.from(NAME), KEY, bigEndian(PAN));
    const hides = (before: Uint8Array, secret: Buffer, after: Uint8Array): void => {
      expect(found(Buffer.concat([before, secret, after]))).not.toEqual([]);
    };
    fc.assert(fc.property(bytes, secrets, bytes, hides));
  });
});

describe('Nothing is found', () => {
  it.each([
    ['of a masked number', '400005******5556 ************5556'],
    ['of another number', '4000056655665557'],
    ['in times and amounts', '"2026-11-21T22:10:19.123Z","amount":40000566,"tip":55665556'],
    ['of a number in two texts', '"400005665","5665556"'],
    ['of a part of a name', 'Ada Lovelace'],
  ])('%s', (_, text) => {
    expect(found(Buffer.from(text))).toEqual([]);
  });

  it('in any bytes of chance', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 2_000 }), (bytes) =>
        expect(found(Buffer.from(bytes))).toEqual([]),
      ),
    );
  });
});

function bigEndian(number: string): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE(BigInt(number));
  return bytes;
}
