import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { Sealed } from '../vault.port.js';
import { anyText, CARD, type VaultContractTest } from './contract.setup.js';

/** The rules of the `Vault` port for sealed texts; part of `vaultContract`. */
export function sealingRules(test: VaultContractTest): void {
  it('opens sealed texts in the order of the request', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyText(), { maxLength: 12 }), async (texts) => {
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

  it('names the subject, and encodes in base64: 12 bytes of iv, the text, 16 bytes of tag', async () => {
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

  it('opens no item with a changed bit, or that is no base64', async () => {
    const subject = test.subject();
    await fc.assert(
      fc.asyncProperty(
        anyText(),
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

  it('opens a card and a sealed text of its subject in one read, and omits a missing one', async () => {
    const { vault } = test;
    const [first, second, destroyed] = [test.subject(), test.subject(), test.subject()];
    expect(await vault.openCardAndText(first, undefined)).toEqual({ card: undefined, text: undefined });
    const sealed = await vault.seal(first, 'Ada');
    expect(await vault.openCardAndText(first, sealed)).toEqual({ card: undefined, text: 'Ada' });
    await vault.storeCard(first, CARD);
    expect(await vault.openCardAndText(first, sealed)).toEqual({ card: CARD, text: 'Ada' });
    expect(await vault.openCardAndText(first, undefined)).toEqual({ card: CARD, text: undefined });
    await vault.storeCard(second, '2');
    expect(await vault.openCardAndText(second, sealed)).toEqual({ card: '2', text: undefined });
    const changed = { ...sealed, ciphertext: sealed.iv };
    expect(await vault.openCardAndText(first, changed)).toEqual({ card: CARD, text: undefined });
    await vault.storeCard(destroyed, CARD);
    const lost = await vault.seal(destroyed, 'Ada');
    await vault.destroy(destroyed);
    expect(await vault.openCardAndText(destroyed, lost)).toEqual({ card: undefined, text: undefined });
    expect(await vault.openCardAndText('a b', sealed)).toEqual({ card: undefined, text: undefined });
  });

  it('opens nothing with the key of another or an unknown subject', async () => {
    const [first, second] = [test.subject(), test.subject()];
    const sealed = await test.vault.seal(first, 'Ada');
    await test.vault.seal(second, 'Grace');
    const moved = [second, test.subject()].map((keyId) => ({ ...sealed, keyId }));
    expect(await test.vault.open(moved)).toEqual([undefined, undefined]);
  });
}
