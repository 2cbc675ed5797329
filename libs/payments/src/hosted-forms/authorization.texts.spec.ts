import { createHash } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { authorizationText, currentAuthorization, isKnownAuthorization } from './authorization.texts.js';

const ONE_DEBIT = { merchantName: 'Maple Street Books', currency: 'USD', amount: 123_456_789 } as const;
const ach = { ...ONE_DEBIT, channel: 'Ach' } as const;
const eft = { ...ONE_DEBIT, channel: 'Eft', currency: 'CAD' } as const;
const stored = { channel: 'Ach', merchantName: 'Maple Street Books', currency: 'USD' } as const;

/** Of all texts of a version. A version never changes: a changed text is a new version with a line of its own. */
const KNOWN: Readonly<Record<string, string>> = {
  '2026-11': '3314d9ed7e63b553',
};

function textsOf(version: string): readonly string[] {
  return (['en', 'fr'] as const).flatMap((language) =>
    [ach, eft, stored].map((facts) => authorizationText({ version, language }, facts)),
  );
}

describe('the authorization of debits', () => {
  it.each(Object.entries(KNOWN))('of version %s is as it was', (version, hash) => {
    const texts = JSON.stringify(textsOf(version));
    expect(createHash('sha256').update(texts).digest('hex').slice(0, 16)).toBe(hash);
  });

  it('names the merchant, how to revoke it, and the amount of one debit', () => {
    const { texts } = currentAuthorization(ach);
    expect(texts.en).toMatch(/I authorize Maple Street Books to debit .* once/);
    expect(texts.en).toContain('for USD\u00a01,234,567.89,');
    expect(texts.fr).toContain('de 1\u00a0234\u00a0567,89\u00a0USD,');
    for (const text of textsOf('2026-11')) {
      expect(text).toContain('Maple Street Books');
      expect(text).toMatch(/revoke this authorization|revoke it|révoquer/);
    }
  });

  it('of a Canadian debit is a PAD agreement with its rights of cancellation and recourse', () => {
    const { texts } = currentAuthorization(eft);
    for (const part of ['PAD', 'cancellation form', 'recourse rights', 'reimbursement', 'www.payments.ca'])
      expect(texts.en).toContain(part);
    for (const part of ['DPA', 'annulation', 'droits de recours', 'remboursement', 'www.paiements.ca'])
      expect(texts.fr).toContain(part);
  });

  it('of a stored account is for later debits, until it is revoked', () => {
    const { texts } = currentAuthorization(stored);
    expect(texts.en).toContain('to store the bank account');
    expect(texts.en).not.toMatch(/USD|undefined/);
    expect(texts.fr).toContain('conserver le compte bancaire');
  });

  it('is known by its version only', () => {
    expect(Object.keys(KNOWN).every(isKnownAuthorization)).toBe(true);
    for (const version of ['', '2025-01', 'constructor', '__proto__'])
      expect(isKnownAuthorization(version)).toBe(false);
  });
});
