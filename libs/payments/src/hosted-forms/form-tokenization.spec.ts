import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { streamOfHolder, streamOfToken } from '@tillstream/domain';
import { readWholeStream } from '@tillstream/event-store';
import type { Sealed } from '@tillstream/vault';
import { APPROVED, BILLING, DECLINED, FormsTestSetup, statusAfter } from '../testing/forms.setup.js';
import { Crashed, PaymentsTestSetup, requireAnsweredToken } from '../testing/payments.setup.js';

let setup: PaymentsTestSetup;
let forms: FormsTestSetup;
beforeEach(async () => {
  setup = await PaymentsTestSetup.open();
  forms = await FormsTestSetup.of(setup);
});
afterEach(() => setup.close());

/** The sealed texts of the token's events that can still be opened; undefined for the others. */
async function sealedIn(tokenId: string): Promise<readonly (string | undefined)[]> {
  const events = await readWholeStream(setup.memory, streamOfToken(tokenId) ?? '');
  const sealed = events.flatMap(({ data }) => {
    const { personal, token } = data as unknown as { personal?: Sealed; token?: { personal?: Sealed } };
    return [personal, token?.personal].filter((one) => one !== undefined);
  });
  return setup.vault.open(sealed);
}

/** A form that was just opened, and its token. */
async function opened(more: object = {}) {
  const result = await forms.token(more);
  return { session: forms.sessionOf(result), tokenId: requireAnsweredToken(result).token.id };
}

describe('a card that is stored through a form', () => {
  it('is in the vault, with its expiry and billing contact sealed, and pays', async () => {
    const { session, tokenId } = await opened({ description: 'Visa of Ann' });
    expect(statusAfter(await forms.submit(session))).toBe('Approved');
    const token = await setup.token(tokenId);
    expect(token).toMatchObject({ status: 'Active', description: 'Visa of Ann', channel: 'CardNotPresent' });
    expect(await setup.vault.openCard(tokenId)).toBe(APPROVED);
    const found = await setup.useCases.storedCards.find(setup.merchant.id, token.operations[0]?.id ?? '');
    expect(found?.facts).toEqual({ id: tokenId, cardExpDate: '1234', billingContact: BILLING });
    expect(JSON.stringify(token)).not.toContain('Ann Maple');
    expect((await setup.tokenSale({ id: tokenId }, 1_000)).kind).toBe('Answered');
    expect(setup.chargedTotal()).toBe(1_000);
  });

  it('can not be used before it is stored, nor after its form failed', async () => {
    const { session, tokenId } = await opened();
    expect(await setup.tokenSale({ id: tokenId }, 1_000)).toMatchObject({
      rejection: { code: 'TokenNotFinished' },
    });
    await forms.submit(session, DECLINED);
    expect(await setup.tokenSale({ id: tokenId }, 1_000)).toMatchObject({
      rejection: { code: 'TokenNotFinished' },
    });
    await forms.cancel(session);
    expect(await setup.tokenSale({ id: tokenId }, 1_000)).toMatchObject({
      rejection: { code: 'TokenNotFound' },
    });
  });

  it('replaces the declined one that was submitted before', async () => {
    const { session, tokenId } = await opened();
    expect(statusAfter(await forms.submit(session, DECLINED))).toBe('AwaitingCustomer');
    expect(statusAfter(await forms.submit(session, '5555555555554444'))).toBe('Approved');
    expect(await setup.vault.openCard(tokenId)).toBe('5555555555554444');
  });

  it.each(['after-send', 'after-answer', 'before-outcome'] as const)(
    'is stored by the resolver, with its billing contact, if the process dies at %s',
    async (point) => {
      const { session, tokenId } = await opened();
      setup.crash.crashAt(point);
      await expect(forms.submit(session)).rejects.toThrow(Crashed);
      setup.start();
      await setup.untilResolved(3);
      const token = await setup.token(tokenId);
      expect(token.status).toBe('Active');
      expect(await setup.vault.openCard(tokenId)).toBe(APPROVED);
      const found = await setup.useCases.storedCards.find(setup.merchant.id, token.operations[0]?.id ?? '');
      expect(found?.facts).toMatchObject({ cardExpDate: '1234', billingContact: BILLING });
    },
  );

  it('is not sent while the vault can not seal its data, and the form goes on', async () => {
    const { session, tokenId } = await opened();
    setup.vault.fail('seal');
    expect(await forms.submit(session)).toEqual({ kind: 'CardNotStored' });
    expect(setup.processor.sent).toEqual([]);
    expect(statusAfter(await forms.submit(session))).toBe('Approved');
    expect((await setup.token(tokenId)).status).toBe('Active');
  });

  it('leaves nothing readable of the cards that were declined before it', async () => {
    const { session, tokenId } = await opened();
    await forms.submit(session, DECLINED, { billingContact: { ...BILLING, name: 'Another Person' } });
    await forms.submit(session);
    await setup.untilResolved(2);
    expect((await sealedIn(tokenId)).filter((text) => text !== undefined)).toEqual([
      JSON.stringify({ cardExpDate: '1234', billingContact: BILLING }),
    ]);
  });

  it('that failed is not readable any more when the erasure of its holder is finished', async () => {
    const { session, tokenId } = await opened({ accountHolder: { externalId: 'ann', name: 'Ann' } });
    for (let failure = 0; failure < 5; failure++) await forms.submit(session, DECLINED);
    const holderId = (await setup.token(tokenId)).accountHolderId ?? '';
    await setup.useCases.accountHolders.erase(setup.context(), holderId);
    const events = await readWholeStream(setup.memory, streamOfHolder(holderId) ?? '');
    expect(events.at(-1)?.type).toBe('HolderErasureFinished');
    expect((await sealedIn(tokenId)).filter((text) => text !== undefined)).toEqual([]);
  });

  it('loses its keys if the form ends after a failed submission', async () => {
    const { session, tokenId } = await opened();
    await forms.submit(session, DECLINED);
    forms.passLifetime();
    await setup.untilResolved(2);
    expect(await setup.tokenEvents(tokenId)).toEqual([
      'TokenRequested',
      'VerificationRequested',
      'VerificationFailed',
      'VerificationDeclined',
      'TokenKeysDestroyed',
    ]);
    expect(await forms.submit(session)).toEqual({ kind: 'Expired' });
  });

  it('is linked to its account holder, and removed at once if that was erased meanwhile', async () => {
    const { session, tokenId } = await opened({ accountHolder: { externalId: 'ann', name: 'Ann' } });
    const holderId = (await setup.token(tokenId)).accountHolderId ?? '';
    expect(holderId).toMatch(/^acc_/);
    await setup.useCases.accountHolders.erase(setup.context(), holderId);
    await forms.submit(session);
    expect((await setup.token(tokenId)).status).toBe('Removed');
  });
});
