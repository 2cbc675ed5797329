import { VaultError, type Vault } from '@tillstream/vault';
import { memoryVault } from '@tillstream/vault/testing';
import { openedPersonal, showable } from './personal-data.js';

let vault: Vault;
beforeEach(() => {
  vault = memoryVault();
});

const sealed = async (subject: string, text: string) => ({
  personal: await vault.seal(subject, JSON.stringify({ text })),
});

describe('What is sealed in the rows of a page', () => {
  it('is opened in one call, each in the place of its row', async () => {
    const rows = [await sealed('acc_1', 'a'), {}, await sealed('acc_2', 'b'), {}];
    let calls = 0;
    const counted: Pick<Vault, 'open'> = {
      open: (all) => {
        calls += 1;
        return vault.open(all);
      },
    };
    expect(await openedPersonal(counted, rows)).toEqual([{ text: 'a' }, undefined, { text: 'b' }, undefined]);
    expect(calls).toBe(1);
    expect(await openedPersonal(counted, [{}, {}])).toEqual([undefined, undefined]);
    expect(calls).toBe(1);
  });

  it('is nothing once its key was destroyed', async () => {
    const rows = [await sealed('acc_1', 'a'), await sealed('acc_2', 'b')];
    await vault.destroy('acc_1');
    expect(await openedPersonal(vault, rows)).toEqual([undefined, { text: 'b' }]);
  });

  it('is nothing, or an error, while the vault is away', async () => {
    const rows = [await sealed('acc_1', 'a')];
    await vault.close();
    const failures: string[] = [];
    expect(await openedPersonal(vault, rows, ({ code }) => void failures.push(code))).toEqual([undefined]);
    expect(failures).toEqual(['Unavailable']);
    await expect(openedPersonal(vault, rows)).rejects.toThrow(VaultError);
  });
});

describe('A billing contact', () => {
  const billingContact = { name: 'Ann' };
  it('is shown of a token that a form made, and of no other', () => {
    const personal = { cardExpDate: '1234', billingContact };
    expect(showable(personal, 'CardNotPresent')).toEqual(personal);
    expect(showable(personal, 'Ach')).toEqual(personal);
    expect(showable(personal, 'CardPresent')).toEqual({ cardExpDate: '1234' });
    expect(showable(personal, undefined)).toEqual({ cardExpDate: '1234' });
    expect(showable(undefined, 'CardNotPresent')).toEqual({});
  });
});
