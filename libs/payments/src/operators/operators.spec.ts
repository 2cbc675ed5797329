import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import {
  ADMIN_KEYS_STREAM,
  apiKeyCodec,
  apiKeyStream,
  personalDataAuditStream,
  merchantStream,
  type MerchantSettings,
} from '@tillstream/domain';
import { chainEvents, type Append } from '@tillstream/event-store';
import { eventMetadata, toNewEvents } from '../stream-repository/event-metadata.js';
import { sha256 } from '../identifiers.js';
import { ProvisioningRejected } from './provisioning.js';
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

let stage: PaymentsTestSetup;
beforeEach(async () => {
  stage = await PaymentsTestSetup.open();
});
afterEach(() => stage.close());

const provisioning = () => stage.useCases.provisioning;
/** What the directory believed is over. */
const opens = async (key: string) => {
  stage.clock.monotonic += 2_000;
  return (await stage.useCases.authentication.authenticate(key)) !== undefined;
};
const eventsOf = async (stream: string) => (await stage.memory.readStream(stream)).events;

describe('a change under a command that ran before', () => {
  it('of a merchant or payment method changes nothing a second time, whatever came in between', async () => {
    const made = await provisioning().createMerchant(operator, settings, { commandId: 'c1' });
    const change = () =>
      provisioning().changeMerchant(operator, made.id, { name: 'Elm' }, { commandId: 'c2' });
    await change();
    await provisioning().changeMerchant(operator, made.id, { name: 'Oak' });
    expect((await change()).name).toBe('Oak');
    const again = await provisioning().createMerchant(operator, settings, { commandId: 'c1' });
    expect(again).toMatchObject({ id: made.id, name: 'Oak' });
    const add = () =>
      provisioning().addPaymentMethod(
        operator,
        made.id,
        { type: 'Physical', isDefault: false },
        { commandId: 'c3' },
      );
    expect(await add()).toEqual(await add());
    expect(await eventsOf(merchantStream(made.id))).toHaveLength(4);
  });

  it('of a key gives another key, and what nobody ever saw stops', async () => {
    const { id } = stage.merchant;
    const issue = () =>
      provisioning().issueApiKey(
        operator,
        id,
        { name: 'till', readOnly: false, mode: 'test' },
        { commandId: 'c1' },
      );
    const [first, second] = [await issue(), await issue()];
    expect(second.keyId).not.toBe(first.keyId);
    expect([await opens(first.key), await opens(second.key)]).toEqual([false, true]);
  });

  it('of a removal answers the key again; without the command it is gone', async () => {
    const { id } = stage.merchant;
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
    provisioning().issueApiKey(operator, stage.merchant.id, {
      name: 'till',
      readOnly: false,
      mode: 'test',
    });

  it('that is listed and could not be made to work is an unknown outcome, and opens nothing', async () => {
    stage.store.inject({ kind: 'Unavailable' }, { when: toKeys });
    await expect(issue()).rejects.toMatchObject({ code: 'Unknown' });
    const merchant = await stage.useCases.authentication.readMerchant(stage.merchant.id);
    expect(merchant?.apiKeys).toHaveLength(1);
  });

  it('stops before it is listed as revoked, and a second removal makes up for what is missing', async () => {
    const { keyId, key } = await issue();
    stage.store.inject({ kind: 'Unavailable' }, { when: toMerchants });
    const revoke = () => provisioning().revokeApiKey(operator, stage.merchant.id, keyId);
    await expect(revoke()).rejects.toMatchObject({ code: 'Unknown' });
    expect(await opens(key)).toBe(false);
    expect(await revoke()).toMatchObject({ revoked: true });
  });

  it('that was revoked before it worked never does', async () => {
    const revokeMeanwhile = async () => {
      const merchant = await stage.useCases.authentication.readMerchant(stage.merchant.id);
      const keyId = merchant?.apiKeys[0]?.id ?? '';
      await provisioning().revokeApiKey(operator, stage.merchant.id, keyId);
    };
    stage.store.inject({ kind: 'Delay', ms: 0 }, { when: toKeys, before: revokeMeanwhile });
    const { key } = await issue();
    expect(await opens(key)).toBe(false);
  });
});

describe('an admin key', () => {
  it('is listed with who made it, and works at once', async () => {
    const { keyId, key } = await provisioning().issueAdminKey(operator, { name: 'ops' });
    expect(await opens(key)).toBe(true);
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
    const [event] = await eventsOf(ADMIN_KEYS_STREAM);
    expect(event && eventMetadata(event).actor).toEqual(operator);
    expect(JSON.stringify(await eventsOf(ADMIN_KEYS_STREAM))).not.toContain(key);
  });

  it.each(['ops', 'its id'])('is exchanged by %s: the new one works, the old one stops', async (by) => {
    const old = await provisioning().issueAdminKey(operator, { name: 'ops' });
    const next = await provisioning().rotateAdminKey(operator, by === 'ops' ? by : old.keyId);
    expect(next.name).toBe('ops');
    expect([await opens(old.key), await opens(next.key)]).toEqual([false, true]);
    expect(await provisioning().listAdminKeys()).toMatchObject([
      { id: old.keyId, revokedBy: 'Ann' },
      { id: next.keyId, replaces: old.keyId },
    ]);
  });

  it('is revoked by name or id, once; one that nobody has, or several have, is refused', async () => {
    const first = await provisioning().issueAdminKey(operator, { name: 'ops' });
    await provisioning().issueAdminKey(operator, { name: 'ops' });
    const revoke = (idOrName: string) => provisioning().revokeAdminKey(operator, idOrName, 'left');
    await expect(revoke('ops')).rejects.toMatchObject({ rejection: { code: 'AdminKeyAmbiguous' } });
    expect(await revoke(first.keyId)).toMatchObject({ id: first.keyId, revokedBy: 'Ann' });
    await expect(revoke(first.keyId)).rejects.toThrow(AdminKeyRejected);
    await expect(provisioning().rotateAdminKey(operator, 'nobody')).rejects.toThrow(AdminKeyRejected);
    expect(await opens(first.key)).toBe(false);
  });

  it('stops before it is listed as revoked', async () => {
    const { keyId, key } = await provisioning().issueAdminKey(operator, { name: 'ops' });
    stage.store.inject({ kind: 'Unavailable' }, { when: toList });
    await expect(provisioning().revokeAdminKey(operator, keyId)).rejects.toMatchObject({
      code: 'Unavailable',
    });
    expect(await opens(key)).toBe(false);
    expect(await provisioning().revokeAdminKey(operator, keyId)).toMatchObject({ id: keyId });
  });

  it('of a store that had no list is listed as it was made, once', async () => {
    const key = `ak_${'a'.repeat(32)}`;
    const stream = apiKeyStream(sha256(key));
    const at = '2026-01-01T00:00:00.000Z';
    const activated = { at, keyId: 'key_old', name: 'Demo operator', readOnly: false };
    const events = toNewEvents(
      apiKeyCodec,
      [{ type: 'KeyActivated', data: activated }],
      { merchantId: '', actor: operator },
      stage.clock,
    );
    await stage.memory.append({ stream, expected: 'none', events: chainEvents(stream, undefined, events) });
    for (const one of [key, key, 'ak_nobody']) await provisioning().adoptAdminKey(operator, one);
    expect(await provisioning().listAdminKeys()).toMatchObject([
      { id: 'key_old', name: 'Demo operator', createdAt: at, lastFour: 'aaaa' },
    ]);
    const next = await provisioning().rotateAdminKey(operator, 'Demo operator');
    expect([await opens(key), await opens(next.key)]).toEqual([false, true]);
  });

  it('is no merchant’s: a merchant’s key is never listed here', async () => {
    const { key } = await provisioning().issueApiKey(operator, stage.merchant.id, {
      name: 'till',
      readOnly: false,
      mode: 'test',
    });
    await provisioning().adoptAdminKey(operator, key);
    expect(await provisioning().listAdminKeys()).toEqual([]);
  });
});

describe('a look of an operator at personal data', () => {
  it('is recorded with who, whose and why, in the stream of its day, also when many look at once', async () => {
    const { personalDataAudit } = stage.useCases;
    const subject = { type: 'AccountHolder', id: 'acc_1', merchantId: 'mer_1' } as const;
    await Promise.all(
      ['a', 'b', 'c'].map((why) => personalDataAudit.recordPersonalDataRead(operator, subject, why)),
    );
    const day = new Date(stage.clock.now()).toISOString().slice(0, 10);
    const { reads, end } = await personalDataAudit.personalDataReads(day);
    expect(end).toBe(true);
    expect(reads.map(({ why }) => why).sort()).toEqual(['a', 'b', 'c']);
    expect(reads[0]).toMatchObject({ operator: 'Ann', keyId: 'key_ann', subject });
    expect(await eventsOf(personalDataAuditStream(day))).toHaveLength(3);
    expect((await personalDataAudit.personalDataReads(day, { from: 1, limit: 1 })).reads).toHaveLength(1);
    expect((await personalDataAudit.personalDataReads('2020-01-01')).reads).toEqual([]);
  });
});
