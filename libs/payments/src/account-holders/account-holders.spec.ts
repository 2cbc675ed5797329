import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { HolderResult, HolderView } from './account-holders.js';
import { crashBeforeStep } from '../testing/dying-process.js';
import { PaymentsTestSetup } from '../testing/payments.setup.js';

const billingContact = { countryCode: 'US', zipCode: '10001' };
const taken = { kind: 'Rejected', rejection: { code: 'ExternalIdTaken' } };
const notFound = { kind: 'Rejected', rejection: { code: 'HolderNotFound' } };

describe('account holders', () => {
  let setup: PaymentsTestSetup;
  beforeEach(async () => {
    setup = await PaymentsTestSetup.open();
  });
  afterEach(() => setup.close());

  type Fields = Parameters<typeof setup.useCases.accountHolders.create>[1];
  const create = (fields: Fields, commandId?: string) =>
    setup.useCases.accountHolders.create(setup.context(), fields, commandId);
  const change = (id: string, fields: Fields, commandId?: string) =>
    setup.useCases.accountHolders.change(setup.context(), id, fields, commandId);
  const find = (id: string) => setup.useCases.accountHolders.find(setup.merchant.id, id);
  const done = (result: HolderResult): HolderView => {
    if (result.kind !== 'Done') throw new Error(JSON.stringify(result));
    return result.holder;
  };
  const holders = async (): Promise<number> =>
    (await setup.memory.readAll({ categories: ['holder'] })).events.filter(
      ({ type }) => type === 'HolderCreated',
    ).length;

  it('are found by our id and by the merchant’s external id, and not by another merchant', async () => {
    const created = done(await create({ externalId: 'c-1', name: 'Ada', email: 'ada@example.com' }));
    expect(created).toMatchObject({
      id: expect.stringMatching(/^acc_[0-7][0-9A-HJKMNP-TV-Z]{25}$/),
      externalId: 'c-1',
      name: 'Ada',
      email: 'ada@example.com',
      createdAt: '2026-03-02T15:00:00.000Z',
    });
    expect(await find(created.id)).toEqual(created);
    expect(await find('c-1')).toEqual(created);
    expect(await find('c-2')).toBeUndefined();
    for (const id of [created.id, 'c-1']) {
      expect(await setup.useCases.accountHolders.find('mer_OTHER', id)).toBeUndefined();
    }
  });

  it('have their personal data in no event unencrypted', async () => {
    // Long enough that no random id contains them.
    const secrets = { externalId: 'customer-of-ours', name: 'Ada Lovelace', phone: '+1 212 555-0101' };
    const zipCode = '10001-2345';
    const { id } = done(await create(secrets));
    done(await change(id, { billingContact: { ...billingContact, zipCode } }));
    const text = JSON.stringify((await setup.memory.readAll()).events);
    for (const secret of [...Object.values(secrets), zipCode]) expect(text).not.toContain(secret);
  });

  it('can not share an external id', async () => {
    done(await create({ externalId: 'c-1' }));
    expect(await create({ externalId: 'c-1', name: 'Eve' })).toMatchObject(taken);
    const other = done(await create({ name: 'Eve' }));
    expect(await change(other.id, { externalId: 'c-1' })).toMatchObject(taken);
  });

  it('are created once by twenty concurrent requests', async () => {
    const results = await Promise.all(Array.from({ length: 20 }, () => create({ externalId: 'c-1' })));
    expect(results.filter(({ kind }) => kind === 'Done')).toHaveLength(1);
    expect(await holders()).toBe(1);
  });

  it('are created and changed once by a repeated command', async () => {
    for (const fields of [{ name: 'Ada' }, { externalId: 'c-1', name: 'Ada' }]) {
      const first = done(await create(fields, `create ${fields.externalId}`));
      setup.clock.pass(1_000);
      expect(done(await create(fields, `create ${fields.externalId}`))).toEqual(first);
      const changed = done(await change(first.id, { name: 'Eve' }, `change ${fields.externalId}`));
      setup.clock.pass(1_000);
      expect(done(await change(first.id, { name: 'Eve' }, `change ${fields.externalId}`))).toEqual(changed);
    }
    expect(await holders()).toBe(2);
  });

  it('keep fields that a change leaves out', async () => {
    const { id, createdAt } = done(await create({ externalId: 'c-1', name: 'Ada', billingContact }));
    setup.clock.pass(1_000);
    const changed = done(await change('c-1', { email: 'ada@example.com', name: 'Ada L.' }));
    expect(changed).toEqual({
      id,
      externalId: 'c-1',
      name: 'Ada L.',
      email: 'ada@example.com',
      billingContact,
      createdAt,
      updatedAt: '2026-03-02T15:00:01.000Z',
    });
    expect(await find(id)).toEqual(changed);
  });

  it('keep the fields of concurrent changes', async () => {
    const { id } = done(await create({ name: 'Ada' }));
    await Promise.all([
      change(id, { phone: '1' }),
      change(id, { email: 'a@b.c' }),
      change(id, { billingContact }),
    ]);
    expect(await find(id)).toMatchObject({ name: 'Ada', phone: '1', email: 'a@b.c', billingContact });
  });

  it('have the new external id after a concurrent change that sends the old one', async () => {
    const { id } = done(await create({ externalId: 'c-1', name: 'Ada' }));
    setup.vault.before('seal', () => change(id, { externalId: 'c-2' }));
    done(await change(id, { externalId: 'c-1', name: 'Eve' }));
    expect(await find('c-2')).toMatchObject({ id, externalId: 'c-2', name: 'Eve' });
    expect(await find('c-1')).toBeUndefined();
  });

  it('can change their external id, and the old one is free', async () => {
    const { id } = done(await create({ externalId: 'c-1', name: 'Ada' }));
    done(await change('c-1', { externalId: 'c-2' }));
    expect(await find('c-1')).toBeUndefined();
    expect(await find('c-2')).toMatchObject({ id, externalId: 'c-2', name: 'Ada' });
    const other = done(await create({ externalId: 'c-1' }));
    expect(await change(id, { externalId: 'c-1' })).toMatchObject(taken);
    done(await change(other.id, { externalId: 'c-3' }));
    done(await change(id, { externalId: 'c-1' }));
    expect(await find('c-1')).toMatchObject({ id });
  });

  it('are created under the claimed id after a crash between claim and creation', async () => {
    await crashBeforeStep(setup, 2, () => create({ externalId: 'c-1' }));
    const [claim] = (await setup.memory.readAll({ categories: ['externalid'] })).events;
    expect(await find('c-1')).toBeUndefined();
    setup.clock.pass(60_000);
    const other = done(await create({}));
    setup.vault.before('seal', async () =>
      expect(await change(other.id, { externalId: 'c-1' })).toMatchObject(taken),
    );
    const created = done(await create({ externalId: 'c-1' }));
    expect(created.id).toBe(claim?.data['holderId']);
  });

  it('lose a claimed external id that they did not take in time', async () => {
    const { id } = done(await create({ externalId: 'c-1' }));
    await crashBeforeStep(setup, 2, () => change(id, { externalId: 'c-2' }));
    expect(await find('c-2')).toBeUndefined();
    expect(await create({ externalId: 'c-2' })).toMatchObject(taken); // the change may still be running
    expect(await setup.storeCard({ accountHolder: { externalId: 'c-2' } })).toEqual({ kind: 'Contended' });
    setup.clock.pass(setup.timings.sendWithin + setup.timings.margin + 1);
    expect(done(await create({ externalId: 'c-2' })).id).not.toBe(id);
    expect(await find('c-1')).toMatchObject({ id });
  });

  it('are not written after other requests may take over their claim', async () => {
    const { id } = done(await create({ externalId: 'c-1' }));
    setup.vault.before('seal', () => (setup.clock.monotonic += 2_001));
    expect(await create({ externalId: 'c-2' })).toEqual({ kind: 'Contended' });
    setup.store.inject({ kind: 'Delay', ms: 0 }, { before: () => (setup.clock.monotonic += 2_001) });
    expect(await change(id, { externalId: 'c-3' })).toEqual({ kind: 'Contended' });
    expect(await holders()).toBe(1);
  });

  it('can be changed after a crash at any step', async () => {
    for (let step = 1; ; step++) {
      const { id } = done(await create({ externalId: `old-${step}`, name: 'Ada' }));
      const crashed = await crashBeforeStep(setup, step, () =>
        change(id, { externalId: `new-${step}`, name: 'Eve' }),
      );
      setup.clock.pass(10_000);
      done(await change(id, { externalId: `new-${step}`, name: 'Eve' }));
      expect(await find(`new-${step}`)).toMatchObject({ id, name: 'Eve', externalId: `new-${step}` });
      expect(await find(`old-${step}`)).toBeUndefined();
      done(await create({ externalId: `old-${step}` }));
      if (!crashed) break;
    }
  });

  it('are not written if the vault or the store fails', async () => {
    const { id } = done(await create({ name: 'Ada' }));
    for (const call of ['open', 'seal'] as const) {
      setup.vault.fail(call);
      expect(await change(id, { name: 'Eve' })).toEqual({ kind: 'NotStored' });
    }
    setup.vault.fail('seal');
    expect(await create({ name: 'Eve' })).toEqual({ kind: 'NotStored' });
    setup.store.inject({ kind: 'Unavailable' });
    expect(await create({ name: 'Eve' })).toEqual({ kind: 'NotStored' });
    setup.store.inject({ kind: 'LoseAnswer', written: true });
    setup.store.inject({ kind: 'LoseAnswer', written: false }, { times: 1_000 });
    await expect(create({ name: 'Eve' })).rejects.toMatchObject({ code: 'Unknown' });
  });

  it('of another merchant are not found', async () => {
    const { id } = done(await create({ externalId: 'c-1' }));
    const other = { ...setup.context(), merchant: { ...setup.merchant, id: 'mer_OTHER' } };
    expect(await setup.useCases.accountHolders.change(other, id, { name: 'Eve' })).toMatchObject(notFound);
    expect(await setup.useCases.accountHolders.erase(other, id)).toMatchObject(notFound);
    expect((await setup.useCases.accountHolders.create(other, { externalId: 'c-1' })).kind).toBe('Done');
  });
});
