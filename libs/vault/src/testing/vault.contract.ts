import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { Vault } from '../vault.port.js';
import { anyText, CARD, type VaultContractTest } from './contract.setup.js';
import { fileBytes, foundIn } from './file.bytes.js';
import { sealingRules } from './sealing.contract.js';

/** The storage of one test: the vaults that are opened on it share their content, as processes share a file. */
export interface VaultPlace {
  open(): Promise<Vault>;
  /** Of its files; left out where it keeps none. */
  readonly directory?: string;
  /** Called after all its vaults are closed. */
  remove(): unknown;
}

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
    const test: VaultContractTest = {
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
      await place.remove();
    });

    cardStorageRules(test);
    sealingRules(test);
    destructionRules(test);
    sharingRules(test);
  });
}

function cardStorageRules(test: VaultContractTest): void {
  it('returns the last stored card of each subject', async () => {
    const [first, second] = [test.subject(), test.subject()];
    expect(await test.vault.openCard(first)).toBeUndefined();
    await test.vault.storeCard(first, '1');
    await test.vault.storeCard(second, '2');
    await test.vault.storeCard(first, CARD);
    expect(await Promise.all([first, second].map((one) => test.vault.openCard(one)))).toEqual([CARD, '2']);
  });

  it('returns any text of up to 254 bytes unchanged, and refuses a longer one', async () => {
    await fc.assert(
      fc.asyncProperty(anyText(), async (text) => {
        const subject = test.subject();
        await test.vault.storeCard(subject, text);
        expect(await test.vault.openCard(subject)).toBe(text);
      }),
      { numRuns: 40, examples: [[''], ['9'.repeat(254)], ['Zoë 東京 🏦'], ['\ud800'], ['\ufeff4']] },
    );
    const subject = test.subject();
    await expect(test.vault.storeCard(subject, '9'.repeat(255))).rejects.toThrow(RangeError);
    expect(await test.vault.openCard(subject)).toBeUndefined();
  });

  it.each(['', 'a b', 'café', 'a\0b', 'x'.repeat(201)])('refuses the subject name %j', async (subject) => {
    const { vault } = test;
    await expect(vault.storeCard(subject, CARD)).rejects.toThrow(RangeError);
    await expect(vault.seal(subject, 'Ada')).rejects.toThrow(RangeError);
    await expect(vault.destroy(subject)).rejects.toThrow(RangeError);
    expect(await vault.openCard(subject)).toBeUndefined();
    const sealed = await vault.seal(test.subject(), 'Ada');
    expect(await vault.open([{ ...sealed, keyId: subject }])).toEqual([undefined]);
  });

  it('rejects every call with Unavailable after it is closed', async () => {
    const { vault } = test;
    const sealed = await vault.seal(test.subject(), 'Ada');
    await vault.close();
    await vault.close();
    for (const call of [
      () => vault.storeCard('a', CARD),
      () => vault.openCard('a'),
      () => vault.openCardAndText('a', sealed),
      () => vault.seal('a', 'Ada'),
      () => vault.open([sealed]),
      () => vault.destroy('a'),
    ])
      await expect(call()).rejects.toMatchObject({ name: 'VaultError', code: 'Unavailable' });
  });
}

function destructionRules(test: VaultContractTest): void {
  it('opens and stores nothing for a destroyed subject, and leaves the others unchanged', async () => {
    const { vault } = test;
    const [destroyed, stays] = [test.subject(), test.subject()];
    for (const subject of [destroyed, stays]) await vault.storeCard(subject, CARD);
    const sealed = await Promise.all([destroyed, stays].map((subject) => vault.seal(subject, 'Ada')));
    await vault.destroy(destroyed);
    expect(await vault.openCard(destroyed)).toBeUndefined();
    expect(await vault.open(sealed)).toEqual([undefined, 'Ada']);
    for (const call of [vault.storeCard(destroyed, CARD), vault.seal(destroyed, 'Ada')])
      await expect(call).rejects.toMatchObject({ name: 'VaultError', code: 'Destroyed' });
    expect(await vault.openCard(stays)).toBe(CARD);
    expect(await vault.openCard(destroyed)).toBeUndefined();
  });

  it('destroys an unknown subject, and one with a single key', async () => {
    const { vault } = test;
    const [unknown, personal] = [test.subject(), test.subject()];
    await vault.seal(personal, 'Ada');
    for (const subject of [unknown, personal]) {
      await vault.destroy(subject);
      await expect(vault.storeCard(subject, CARD)).rejects.toMatchObject({ code: 'Destroyed' });
      await expect(vault.seal(subject, 'Ada')).rejects.toMatchObject({ code: 'Destroyed' });
    }
  });

  it('allows repeated and concurrent destructions', async () => {
    const { vault } = test;
    const subject = test.subject();
    await vault.storeCard(subject, CARD);
    await Promise.all([vault.destroy(subject), vault.destroy(subject)]);
    await vault.destroy(subject);
    expect(await vault.openCard(subject)).toBeUndefined();
  });

  it('stores nothing after a concurrent write and destruction', async () => {
    const { vault } = test;
    const subjects = Array.from({ length: 20 }, () => test.subject());
    await Promise.allSettled(
      subjects.flatMap((one) => [
        vault.storeCard(one, CARD),
        vault.destroy(one),
        vault.seal(one, 'Ada'),
        vault.storeCard(one, CARD),
      ]),
    );
    expect(await Promise.all(subjects.map((one) => vault.openCard(one)))).toEqual(
      subjects.map(() => undefined),
    );
  });
}

function sharingRules(test: VaultContractTest): void {
  it('shares its content at once with another vault on the same files', async () => {
    const other = await test.another();
    const subject = test.subject();
    await test.vault.storeCard(subject, CARD);
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

  it('makes one key if two vaults need it first at the same time', async () => {
    const other = await test.another();
    const subject = test.subject();
    const sealed = await Promise.all(
      [test.vault, other, test.vault, other].map((vault, index) => vault.seal(subject, `${index}`)),
    );
    expect(await test.vault.open(sealed)).toEqual(['0', '1', '2', '3']);
  });

  it('stays open when another vault on the same files is closed', async () => {
    const other = await test.another();
    await other.close();
    await test.vault.storeCard('a', CARD);
    expect(await test.vault.openCard('a')).toBe(CARD);
  });

  it('writes no plain text into any file', async () => {
    const subject = test.subject();
    await test.vault.storeCard(subject, CARD);
    await test.vault.seal(subject, 'Ada Lovelace');
    await test.vault.storeCard(subject, `${CARD} 12/31`);
    const texts = [CARD, 'Lovelace'].flatMap((text) => [Buffer.from(text), Buffer.from(text, 'utf16le')]);
    for (const bytes of test.fileBytes().values()) expect(foundIn(bytes, texts)).toEqual([]);
  });
}
