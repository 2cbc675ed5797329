import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { apiKeyCodec, apiKeyStream, merchantStream, type MerchantSettings } from '@tillstream/domain';
import { ADMIN_KEYS_STREAM, personalDataAuditStream } from '@tillstream/domain/service';
import { chainEvents, type Append } from '@tillstream/event-store';
import { eventMetadata, toNewEvents } from '../stream-repository/event-metadata.js';
import { sha256 } from '../identifiers.js';
import { ProvisioningRejected } from './merchant.repository.js';
import { PaymentsTestSetup } from '../testing/payments.setup.js';
import { AdminKeyRejected } from './admin-keys.js';

const operator = { type: 'Operator', name: 'Ann', keyId: 'key_ann' } as const;
const settings: MerchantSettings = {
  name: 'Elm Street Toys',
  currencies: ['USD'],
  timeZone: 'America/New_York',
  cutOff: '22:00',
  locale: 'en-US',
  fundingType: 'Net',
  managedWebhooks: false,
  unreferencedRefunds: { enabled: false },
};
const toKeys = ({ stream }: Append): boolean => stream.startsWith('apikey-');
const toMerchants = ({ stream }: Append): boolean => stream.startsWith('merchant-');
const toList = ({ stream }: Append): boolean => stream === ADMIN_KEYS_STREAM;

let setup: PaymentsTestSetup;
beforeEach(async () => {
  setup = await PaymentsTestSetup.open();
});
afterEach(() => setup.close());

const provisioning = () => setup.useCases.provisioning;
/** Reads after the cache of the authentication has expired. */
const works = async (key: string) => {
  setup.clock.monotonic += 2_000;
  return (await setup.useCases.authentication.authenticate(key)) !== undefined;
};
const readEvents = async (stream: string) => (await setup.memory.readStream(stream)).events;

describe('a repeated command', () => {
  it('changes a merchant or payment method once, also after other changes', async () => {
    const merchant = await provisioning().createMerchant(operator, settings, { commandId: 'c1' });
    const change = () =>
      provisioning().changeMerchant(operator, merchant.id, { name: 'Elm' }, { commandId: 'c2' });
    await change();
    await provisioning().changeMerchant(operator, merchant.id, { name: 'Oak' });
    expect((await change()).name).toBe('Oak');
    const again = await provisioning().createMerchant(operator, settings, { commandId: 'c1' });
    expect(again).toMatchObject({ id: merchant.id, name: 'Oak' });
    const add = () =>
      provisioning().addPaymentMethod(
        operator,
        merchant.id,
        { type: 'Physical', isDefault: false },
        { commandId: 'c3' },
      );
    expect(await add()).toEqual(await add());
    expect(await readEvents(merchantStream(merchant.id))).toHaveLength(4);
  });

  it('issues another key, and revokes the first one, which no client saw', async () => {
    const { id } = setup.merchant;
    const issue = () =>
      provisioning().issueApiKey(
        operator,
        id,
        { name: 'till', readOnly: false, mode: 'test' },
        { commandId: 'c1' },
      );
    const [first, second] = [await issue(), await issue()];
    expect(second.keyId).not.toBe(first.keyId);
    expect([await works(first.key), await works(second.key)]).toEqual([false, true]);
  });

  it('revokes a key once and returns it; without the command the revocation is rejected', async () => {
    const { id } = setup.merchant;
    const { keyId } = await provisioning().issueApiKey(operator, id, {
      name: 'till',
      readOnly: false,
      mode: 'test',
    });
    const revoke = (commandId?: string) =>
      provisioning().revokeApiKey(operator, id, keyId, commandId === undefined ? {} : { commandId });
    const revoked = await revoke('c1');
    expect(revoked).toMatchObject({ id: keyId, revoked: true, revokedAt: expect.any(String) });
    expect(await revoke('c1')).toEqual(revoked);
    await expect(revoke()).rejects.toThrow(ProvisioningRejected);
  });
});

describe('a merchant’s key', () => {
  const issue = () =>
    provisioning().issueApiKey(operator, setup.merchant.id, {
      name: 'till',
      readOnly: false,
      mode: 'test',
    });

  it('that is listed and could not be activated is reported as Unknown', async () => {
    setup.store.inject({ kind: 'Unavailable' }, { when: toKeys });
    await expect(issue()).rejects.toMatchObject({ code: 'Unknown' });
    const merchant = await setup.useCases.authentication.readMerchant(setup.merchant.id);
    expect(merchant?.apiKeys).toHaveLength(1);
  });

  it('stops before it is listed as revoked, and a second revocation lists it', async () => {
    const { keyId, key } = await issue();
    setup.store.inject({ kind: 'Unavailable' }, { when: toMerchants });
    const revoke = () => provisioning().revokeApiKey(operator, setup.merchant.id, keyId);
    await expect(revoke()).rejects.toMatchObject({ code: 'Unknown' });
    expect(await works(key)).toBe(false);
    expect(await revoke()).toMatchObject({ revoked: true });
  });

  it('that was revoked before its activation never works', async () => {
    const revokeBeforeActivation = async () => {
      const merchant = await setup.useCases.authentication.readMerchant(setup.merchant.id);
      const keyId = merchant?.apiKeys[0]?.id ?? '';
      await provisioning().revokeApiKey(operator, setup.merchant.id, keyId);
    };
    setup.store.inject({ kind: 'Delay', ms: 0 }, { when: toKeys, before: revokeBeforeActivation });
    const { key } = await issue();
    expect(await works(key)).toBe(false);
  });
});

describe('an admin key', () => {
  it('is listed with its creator, and works at once', async () => {
    const { keyId, key } = await provisioning().issueAdminKey(operator, { name: 'ops' });
    expect(await works(key)).toBe(true);
    const listed = await provisioning().listAdminKeys();
    expect(listed).toEqual([
      {
        id: keyId,
        hash: sha256(key),
        name: 'ops',
        lastFour: key.slice(-4),
        createdAt: expect.any(String),
        createdBy: 'Ann',
      },
    ]);
    const [event] = await readEvents(ADMIN_KEYS_STREAM);
    expect(event && eventMetadata(event).actor).toEqual(operator);
    expect(JSON.stringify(await readEvents(ADMIN_KEYS_STREAM))).not.toContain(key);
  });

  it.each(['ops', 'its id'])('is rotated by %s: the new one works, the old one stops', async (by) => {
    const old = await provisioning().issueAdminKey(operator, { name: 'ops' });
    const next = await provisioning().rotateAdminKey(operator, by === 'ops' ? by : old.keyId);
    expect(next.name).toBe('ops');
    expect([await works(old.key), await works(next.key)]).toEqual([false, true]);
    expect(await provisioning().listAdminKeys()).toMatchObject([
      { id: old.keyId, revokedBy: 'Ann' },
      { id: next.keyId, replaces: old.keyId },
    ]);
  });

  it('is revoked by name or id, once; an unknown or ambiguous one is rejected', async () => {
    const first = await provisioning().issueAdminKey(operator, { name: 'ops' });
    await provisioning().issueAdminKey(operator, { name: 'ops' });
    const revoke = (idOrName: string) => provisioning().revokeAdminKey(operator, idOrName, 'left');
    await expect(revoke('ops')).rejects.toMatchObject({ rejection: { code: 'AdminKeyAmbiguous' } });
    expect(await revoke(first.keyId)).toMatchObject({ id: first.keyId, revokedBy: 'Ann' });
    await expect(revoke(first.keyId)).rejects.toThrow(AdminKeyRejected);
    await expect(provisioning().rotateAdminKey(operator, 'unknown')).rejects.toThrow(AdminKeyRejected);
    expect(await works(first.key)).toBe(false);
  });

  it('stops before it is listed as revoked', async () => {
    const { keyId, key } = await provisioning().issueAdminKey(operator, { name: 'ops' });
    setup.store.inject({ kind: 'Unavailable' }, { when: toList });
    await expect(provisioning().revokeAdminKey(operator, keyId)).rejects.toMatchObject({
      code: 'Unavailable',
    });
    expect(await works(key)).toBe(false);
    expect(await provisioning().revokeAdminKey(operator, keyId)).toMatchObject({ id: keyId });
  });

  it('from before the list existed is adopted once', async () => {
    const key = `ak_${'a'.repeat(32)}`;
    const stream = apiKeyStream(sha256(key));
    const at = '2026-01-01T00:00:00.000Z';
    const activated = { at, keyId: 'key_old', name: 'Demo operator', readOnly: false };
    const events = toNewEvents(
      apiKeyCodec,
      [{ type: 'KeyActivated', data: activated }],
      { merchantId: '', actor: operator },
      setup.clock,
    );
    await setup.memory.append({ stream, expected: 'none', events: chainEvents(stream, undefined, events) });
    for (const adopted of [key, key, 'ak_unknown']) await provisioning().adoptAdminKey(operator, adopted);
    expect(await provisioning().listAdminKeys()).toMatchObject([
      { id: 'key_old', name: 'Demo operator', createdAt: at, lastFour: 'aaaa' },
    ]);
    const next = await provisioning().rotateAdminKey(operator, 'Demo operator');
    expect([await works(key), await works(next.key)]).toEqual([false, true]);
  });

  it('is never listed if it belongs to a merchant', async () => {
    const { key } = await provisioning().issueApiKey(operator, setup.merchant.id, {
      name: 'till',
      readOnly: false,
      mode: 'test',
    });
    await provisioning().adoptAdminKey(operator, key);
    expect(await provisioning().listAdminKeys()).toEqual([]);
  });
});

describe('an operator’s read of personal data', () => {
  it('is recorded with operator, subject and reason in the stream of its day, also if reads are concurrent', async () => {
    const { personalDataAudit } = setup.useCases;
    const subject = { type: 'AccountHolder', id: 'acc_1', merchantId: 'mer_1' } as const;
    await Promise.all(
      ['a', 'b', 'c'].map((why) => personalDataAudit.recordPersonalDataRead(operator, subject, why)),
    );
    const day = new Date(setup.clock.now()).toISOString().slice(0, 10);
    const { reads, end } = await personalDataAudit.personalDataReads(day);
    expect(end).toBe(true);
    expect(reads.map(({ why }) => why).sort()).toEqual(['a', 'b', 'c']);
    expect(reads[0]).toMatchObject({ operator: 'Ann', keyId: 'key_ann', subject });
    expect(await readEvents(personalDataAuditStream(day))).toHaveLength(3);
    expect((await personalDataAudit.personalDataReads(day, { from: 1, limit: 1 })).reads).toHaveLength(1);
    expect((await personalDataAudit.personalDataReads('2020-01-01')).reads).toEqual([]);
  });
});
