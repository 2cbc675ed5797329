import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { Sealed, Vault } from '../vault.port.js';
import { fileBytes, foundIn } from './file.bytes.js';

/** Where the vaults of one test are: those opened here share what they hold, as processes share a file. */
export interface VaultPlace {
  open(): Promise<Vault>;
  /** Of its files; left out where it keeps none. */
  readonly directory?: string;
  /** Called after all its vaults are closed. */
  remove(): void;
}

interface ContractTest {
  readonly vault: Vault;
  /** Another one of the same place; closed after the test. */
  another(): Promise<Vault>;
  /** A subject that nobody else has. */
  subject(): string;
  fileBytes(): ReadonlyMap<string, Buffer>;
}

const CARD = '4761739001010119';
const anyText = fc.string({ unit: 'binary', maxLength: 60 });

/** The rules of the `Vault` port, for a jest spec of an adapter: `vaultContract('X', placeOfX)`. */
export function vaultContract(name: string, newPlace: () => VaultPlace): void {
  describe(`${name} as a vault`, () => {
    const open: Vault[] = [];
    let place: VaultPlace;
    let vault: Vault;
    let subjects = 0;
    const another = async (): Promise<Vault> => {
      const opened = await place.open();
      open.push(opened);
      return opened;
    };
    const test: ContractTest = {
      get vault() {
        return vault;
      },
      another,
      subject: () => `pmt_tkn_${String(++subjects).padStart(8, '0')}`,
      fileBytes: () => (place.directory === undefined ? new Map() : fileBytes(place.directory)),
    };

    beforeEach(async () => {
      place = newPlace();
      vault = await another();
    });

    afterEach(async () => {
      await Promise.all(open.splice(0).map((opened) => opened.close()));
      place.remove();
    });

    keepingRules(test);
    sealingRules(test);
    destructionRules(test);
    sharingRules(test);
  });
}

function keepingRules(test: ContractTest): void {
  it('gives back the card that was kept last, of each subject its own', async () => {
    const [first, second] = [test.subject(), test.subject()];
    expect(await test.vault.openCard(first)).toBeUndefined();
    await test.vault.keepCard(first, '1');
    await test.vault.keepCard(second, '2');
    await test.vault.keepCard(first, CARD);
    expect(await Promise.all([first, second].map((one) => test.vault.openCard(one)))).toEqual([CARD, '2']);
  });

  it('gives back any text of up to 254 bytes as it was, and refuses a longer one', async () => {
    await fc.assert(
      fc.asyncProperty(anyText, async (text) => {
        const subject = test.subject();
        await test.vault.keepCard(subject, text);
        expect(await test.vault.openCard(subject)).toBe(text);
      }),
      { numRuns: 40, examples: [[''], ['9'.repeat(254)], ['Zoë 東京 🏦'], ['\ud800'], ['\ufeff4']] },
    );
    const subject = test.subject();
    await expect(test.vault.keepCard(subject, '9'.repeat(255))).rejects.toThrow(RangeError);
    expect(await test.vault.openCard(subject)).toBeUndefined();
  });

  it.each(['', 'a b', 'café', 'a\0b', 'x'.repeat(201)])('knows no subject named %j', async (subject) => {
    const { vault } = test;
    await expect(vault.keepCard(subject, CARD)).rejects.toThrow(RangeError);
    await expect(vault.seal(subject, 'Ada')).rejects.toThrow(RangeError);
    await expect(vault.destroy(subject)).rejects.toThrow(RangeError);
    expect(await vault.openCard(subject)).toBeUndefined();
    const sealed = await vault.seal(test.subject(), 'Ada');
    expect(await vault.open([{ ...sealed, keyId: subject }])).toEqual([undefined]);
  });

  it('answers everything with Unavailable once it is closed', async () => {
    const { vault } = test;
    const sealed = await vault.seal(test.subject(), 'Ada');
    await vault.close();
    await vault.close();
    for (const call of [
      () => vault.keepCard('a', CARD),
      () => vault.openCard('a'),
      () => vault.openStored('a', sealed),
      () => vault.seal('a', 'Ada'),
      () => vault.open([sealed]),
      () => vault.destroy('a'),
    ])
      await expect(call()).rejects.toMatchObject({ name: 'VaultError', code: 'Unavailable' });
  });
}

function sealingRules(test: ContractTest): void {
  it('opens what it sealed, in the order asked', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyText, { maxLength: 12 }), async (texts) => {
        const subjects = [test.subject(), test.subject()];
        const sealed = await Promise.all(
          texts.map((text, index) => test.vault.seal(subjects[index % 2] ?? '', text)),
        );
        expect(await test.vault.open(sealed)).toEqual(texts);
        expect(await test.vault.open(sealed.toReversed())).toEqual(texts.toReversed());
      }),
      { numRuns: 25 },
    );
    const subject = test.subject();
    const long = 'Ada Lovelace '.repeat(10_000);
    const many = await Promise.all(
      Array.from({ length: 250 }, (_, index) => test.vault.seal(subject, `${index}`)),
    );
    expect(await test.vault.open([await test.vault.seal(subject, long), ...many])).toEqual([
      long,
      ...many.map((_, index) => `${index}`),
    ]);
  });

  it('says whose key it is, in base64: 12 bytes of iv, the text, 16 bytes of tag', async () => {
    const subject = test.subject();
    const sealed = await test.vault.seal(subject, 'Ada Lovelace');
    expect(Object.keys(sealed)).toEqual(['keyId', 'iv', 'ciphertext']);
    expect(sealed.keyId).toBe(subject);
    expect(Buffer.from(sealed.iv, 'base64')).toHaveLength(12);
    expect(Buffer.from(sealed.ciphertext, 'base64')).toHaveLength('Ada Lovelace'.length + 16);
  });

  it('seals the same text differently each time', async () => {
    const subject = test.subject();
    const sealed = await Promise.all(Array.from({ length: 50 }, () => test.vault.seal(subject, 'Ada')));
    expect(new Set(sealed.map(({ iv }) => iv)).size).toBe(50);
    expect(new Set(sealed.map(({ ciphertext }) => ciphertext)).size).toBe(50);
  });

  it('opens nothing of which one bit was changed, or that is not base64', async () => {
    const subject = test.subject();
    await fc.assert(
      fc.asyncProperty(
        anyText,
        fc.constantFrom<('iv' | 'ciphertext')[]>('iv', 'ciphertext'),
        fc.nat(),
        async (text, field, chance) => {
          const sealed = await test.vault.seal(subject, text);
          const bytes = Buffer.from(sealed[field], 'base64');
          const bit = chance % (bytes.length * 8);
          bytes.writeUInt8(bytes.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3);
          const changed = { ...sealed, [field]: bytes.toString('base64') };
          expect(await test.vault.open([changed, sealed])).toEqual([undefined, text]);
        },
      ),
      { numRuns: 60 },
    );
    const sealed = await test.vault.seal(subject, 'Ada');
    const wrong: readonly Partial<Sealed>[] = [
      { iv: '' },
      { ciphertext: '' },
      { iv: `${sealed.iv}\n` },
      { ciphertext: sealed.ciphertext.replace(/=*$/, '') + '!' },
      { ciphertext: sealed.ciphertext.slice(0, -8) },
      { iv: sealed.ciphertext, ciphertext: sealed.iv },
    ];
    expect(await test.vault.open(wrong.map((one) => ({ ...sealed, ...one })))).toEqual(
      wrong.map(() => undefined),
    );
  });

  it('opens a card and what was sealed for its subject in one look, each as far as it is there', async () => {
    const { vault } = test;
    const [first, second, gone] = [test.subject(), test.subject(), test.subject()];
    expect(await vault.openStored(first, undefined)).toEqual({ card: undefined, text: undefined });
    const sealed = await vault.seal(first, 'Ada');
    expect(await vault.openStored(first, sealed)).toEqual({ card: undefined, text: 'Ada' });
    await vault.keepCard(first, CARD);
    expect(await vault.openStored(first, sealed)).toEqual({ card: CARD, text: 'Ada' });
    expect(await vault.openStored(first, undefined)).toEqual({ card: CARD, text: undefined });
    await vault.keepCard(second, '2');
    expect(await vault.openStored(second, sealed)).toEqual({ card: '2', text: undefined });
    const changed = { ...sealed, ciphertext: sealed.iv };
    expect(await vault.openStored(first, changed)).toEqual({ card: CARD, text: undefined });
    await vault.keepCard(gone, CARD);
    const lost = await vault.seal(gone, 'Ada');
    await vault.destroy(gone);
    expect(await vault.openStored(gone, lost)).toEqual({ card: undefined, text: undefined });
    expect(await vault.openStored('a b', sealed)).toEqual({ card: undefined, text: undefined });
  });

  it('opens nothing under the key of another, or of nobody', async () => {
    const [first, second] = [test.subject(), test.subject()];
    const sealed = await test.vault.seal(first, 'Ada');
    await test.vault.seal(second, 'Grace');
    const moved = [second, test.subject()].map((keyId) => ({ ...sealed, keyId }));
    expect(await test.vault.open(moved)).toEqual([undefined, undefined]);
  });
}

function destructionRules(test: ContractTest): void {
  it('opens nothing of a destroyed subject, keeps nothing for it, and leaves the others alone', async () => {
    const { vault } = test;
    const [gone, stays] = [test.subject(), test.subject()];
    for (const subject of [gone, stays]) await vault.keepCard(subject, CARD);
    const sealed = await Promise.all([gone, stays].map((subject) => vault.seal(subject, 'Ada')));
    await vault.destroy(gone);
    expect(await vault.openCard(gone)).toBeUndefined();
    expect(await vault.open(sealed)).toEqual([undefined, 'Ada']);
    for (const call of [vault.keepCard(gone, CARD), vault.seal(gone, 'Ada')])
      await expect(call).rejects.toMatchObject({ name: 'VaultError', code: 'Destroyed' });
    expect(await vault.openCard(stays)).toBe(CARD);
    expect(await vault.openCard(gone)).toBeUndefined();
  });

  it('ends a subject that it never heard of, or that has one key only', async () => {
    const { vault } = test;
    const [unknown, personal] = [test.subject(), test.subject()];
    await vault.seal(personal, 'Ada');
    for (const subject of [unknown, personal]) {
      await vault.destroy(subject);
      await expect(vault.keepCard(subject, CARD)).rejects.toMatchObject({ code: 'Destroyed' });
      await expect(vault.seal(subject, 'Ada')).rejects.toMatchObject({ code: 'Destroyed' });
    }
  });

  it('destroys as often as it is told to, at the same time too', async () => {
    const { vault } = test;
    const subject = test.subject();
    await vault.keepCard(subject, CARD);
    await Promise.all([vault.destroy(subject), vault.destroy(subject)]);
    await vault.destroy(subject);
    expect(await vault.openCard(subject)).toBeUndefined();
  });

  it('of a keeping and a destruction at the same time leaves nothing behind', async () => {
    const { vault } = test;
    const subjects = Array.from({ length: 20 }, () => test.subject());
    await Promise.allSettled(
      subjects.flatMap((one) => [
        vault.keepCard(one, CARD),
        vault.destroy(one),
        vault.seal(one, 'Ada'),
        vault.keepCard(one, CARD),
      ]),
    );
    expect(await Promise.all(subjects.map((one) => vault.openCard(one)))).toEqual(
      subjects.map(() => undefined),
    );
  });
}

function sharingRules(test: ContractTest): void {
  it('shares at once what it holds with another one of the same place', async () => {
    const other = await test.another();
    const subject = test.subject();
    await test.vault.keepCard(subject, CARD);
    expect(await other.openCard(subject)).toBe(CARD);
    const sealed = [await other.seal(subject, 'Ada'), await test.vault.seal(subject, 'Grace')];
    expect(await test.vault.open(sealed)).toEqual(['Ada', 'Grace']);
    await other.destroy(subject);
    expect([await test.vault.openCard(subject), await test.vault.open(sealed)]).toEqual([
      undefined,
      [undefined, undefined],
    ]);
    await expect(test.vault.seal(subject, 'Ada')).rejects.toMatchObject({ code: 'Destroyed' });
  });

  it('makes one key where two need it first at the same time', async () => {
    const other = await test.another();
    const subject = test.subject();
    const sealed = await Promise.all(
      [test.vault, other, test.vault, other].map((vault, index) => vault.seal(subject, `${index}`)),
    );
    expect(await test.vault.open(sealed)).toEqual(['0', '1', '2', '3']);
  });

  it('is not closed with another one of the same place', async () => {
    const other = await test.another();
    await other.close();
    await test.vault.keepCard('a', CARD);
    expect(await test.vault.openCard('a')).toBe(CARD);
  });

  it('writes no plain text into any file', async () => {
    const subject = test.subject();
    await test.vault.keepCard(subject, CARD);
    await test.vault.seal(subject, 'Ada Lovelace');
    await test.vault.keepCard(subject, `${CARD} 12/31`);
    const texts = [CARD, 'Lovelace'].flatMap((text) => [Buffer.from(text), Buffer.from(text, 'utf16le')]);
    for (const bytes of test.fileBytes().values()) expect(foundIn(bytes, texts)).toEqual([]);
  });
}
