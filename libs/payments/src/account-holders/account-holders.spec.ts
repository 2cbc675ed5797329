import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { HolderResult, HolderView } from '../stored-cards/stored-card.types.js';
import { crashBeforeStep } from '../testing/dying-process.js';
import { PaymentsTestSetup } from '../testing/payments.setup.js';

const billingContact = { countryCode: 'US', zipCode: '10001' };
const taken = { kind: 'Rejected', rejection: { code: 'ExternalIdTaken' } };
const notFound = { kind: 'Rejected', rejection: { code: 'HolderNotFound' } };

describe('account holders', () => {
  let stage: PaymentsTestSetup;
  beforeEach(async () => {
    stage = await PaymentsTestSetup.open();
  });
  afterEach(() => stage.close());

  type Fields = Parameters<typeof stage.useCases.accountHolders.create>[1];
  const create = (fields: Fields, commandId?: string) =>
    stage.useCases.accountHolders.create(stage.context(), fields, commandId);
  const change = (id: string, fields: Fields, commandId?: string) =>
    stage.useCases.accountHolders.change(stage.context(), id, fields, commandId);
  const find = (id: string) => stage.useCases.accountHolders.find(stage.merchant.id, id);
  const done = (result: HolderResult): HolderView => {
    if (result.kind !== 'Done') throw new Error(JSON.stringify(result));
    return result.holder;
  };
  const holders = async (): Promise<number> =>
    (await stage.memory.readAll({ categories: ['holder'] })).events.filter(
      ({ type }) => type === 'HolderCreated',
    ).length;

  it('are found by our id and by the merchant’s own, and by nobody else', async () => {
    const made = done(await create({ externalId: 'c-1', name: 'Ada', email: 'ada@example.com' }));
    expect(made).toMatchObject({
      id: expect.stringMatching(/^acc_[0-7][0-9A-HJKMNP-TV-Z]{25}$/),
      externalId: 'c-1',
      name: 'Ada',
      email: 'ada@example.com',
      createdAt: '2026-03-02T15:00:00.000Z',
    });
    expect(await find(made.id)).toEqual(made);
    expect(await find('c-1')).toEqual(made);
    expect(await find('c-2')).toBeUndefined();
    for (const id of [made.id, 'c-1']) {
      expect(await stage.useCases.accountHolders.find('mer_OTHER', id)).toBeUndefined();
    }
  });

  it('are in no event in the clear', async () => {
    // Long enough to be in no random id by chance.
    const secrets = { externalId: 'customer-of-ours', name: 'Ada Lovelace', phone: '+1 212 555-0101' };
    const zipCode = '10001-2345';
    const { id } = done(await create(secrets));
    done(await change(id, { billingContact: { ...billingContact, zipCode } }));
    const text = JSON.stringify((await stage.memory.readAll()).events);
    for (const secret of [...Object.values(secrets), zipCode]) expect(text).not.toContain(secret);
  });

  it('have an external id of their own', async () => {
    done(await create({ externalId: 'c-1' }));
    expect(await create({ externalId: 'c-1', name: 'Eve' })).toMatchObject(taken);
    const other = done(await create({ name: 'Eve' }));
    expect(await change(other.id, { externalId: 'c-1' })).toMatchObject(taken);
  });

  it('are made once where twenty ask at the same time', async () => {
    const results = await Promise.all(Array.from({ length: 20 }, () => create({ externalId: 'c-1' })));
    expect(results.filter(({ kind }) => kind === 'Done')).toHaveLength(1);
    expect(await holders()).toBe(1);
  });

  it('are made and changed once under one command', async () => {
    for (const fields of [{ name: 'Ada' }, { externalId: 'c-1', name: 'Ada' }]) {
      const first = done(await create(fields, `create ${fields.externalId}`));
      stage.clock.pass(1_000);
      expect(done(await create(fields, `create ${fields.externalId}`))).toEqual(first);
      const changed = done(await change(first.id, { name: 'Eve' }, `change ${fields.externalId}`));
      stage.clock.pass(1_000);
      expect(done(await change(first.id, { name: 'Eve' }, `change ${fields.externalId}`))).toEqual(changed);
    }
    expect(await holders()).toBe(2);
  });

  it('keep what a change does not name', async () => {
    const { id, createdAt } = done(await create({ externalId: 'c-1', name: 'Ada', billingContact }));
    stage.clock.pass(1_000);
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

  it('lose nothing where two changes race', async () => {
    const { id } = done(await create({ name: 'Ada' }));
    await Promise.all([
      change(id, { phone: '1' }),
      change(id, { email: 'a@b.c' }),
      change(id, { billingContact }),
    ]);
    expect(await find(id)).toMatchObject({ name: 'Ada', phone: '1', email: 'a@b.c', billingContact });
  });

  it('go by one name where one change keeps it and another gives a new one', async () => {
    const { id } = done(await create({ externalId: 'c-1', name: 'Ada' }));
    stage.vault.before('seal', () => change(id, { externalId: 'c-2' }));
    done(await change(id, { externalId: 'c-1', name: 'Eve' }));
    expect(await find('c-2')).toMatchObject({ id, externalId: 'c-2', name: 'Eve' });
    expect(await find('c-1')).toBeUndefined();
  });

  it('can go by another name, and the old one is free', async () => {
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

  it('that died after their name was claimed are made under the claimed id by the next creation', async () => {
    await crashBeforeStep(stage, 2, () => create({ externalId: 'c-1' }));
    const [claim] = (await stage.memory.readAll({ categories: ['externalid'] })).events;
    expect(await find('c-1')).toBeUndefined();
    stage.clock.pass(60_000);
    const other = done(await create({}));
    stage.vault.before('seal', async () =>
      expect(await change(other.id, { externalId: 'c-1' })).toMatchObject(taken),
    );
    const made = done(await create({ externalId: 'c-1' }));
    expect(made.id).toBe(claim?.data['holderId']);
  });

  it('do not keep a name for long that they claimed and never went by', async () => {
    const { id } = done(await create({ externalId: 'c-1' }));
    await crashBeforeStep(stage, 2, () => change(id, { externalId: 'c-2' }));
    expect(await find('c-2')).toBeUndefined();
    expect(await create({ externalId: 'c-2' })).toMatchObject(taken); // somebody may still be at it
    expect(await stage.storeCard({ accountHolder: { externalId: 'c-2' } })).toEqual({ kind: 'Contended' });
    stage.clock.pass(stage.timings.sendWithin + stage.timings.margin + 1);
    expect(done(await create({ externalId: 'c-2' })).id).not.toBe(id);
    expect(await find('c-1')).toMatchObject({ id });
  });

  it('are never written under a claim that others may hold for dead', async () => {
    const { id } = done(await create({ externalId: 'c-1' }));
    stage.vault.before('seal', () => (stage.clock.monotonic += 2_001));
    expect(await create({ externalId: 'c-2' })).toEqual({ kind: 'Contended' });
    stage.store.inject({ kind: 'Delay', ms: 0 }, { before: () => (stage.clock.monotonic += 2_001) });
    expect(await change(id, { externalId: 'c-3' })).toEqual({ kind: 'Contended' });
    expect(await holders()).toBe(1);
  });

  it('can be changed wherever the process died', async () => {
    for (let step = 1; ; step++) {
      const { id } = done(await create({ externalId: `old-${step}`, name: 'Ada' }));
      const died = await crashBeforeStep(stage, step, () =>
        change(id, { externalId: `new-${step}`, name: 'Eve' }),
      );
      stage.clock.pass(10_000);
      done(await change(id, { externalId: `new-${step}`, name: 'Eve' }));
      expect(await find(`new-${step}`)).toMatchObject({ id, name: 'Eve', externalId: `new-${step}` });
      expect(await find(`old-${step}`)).toBeUndefined();
      done(await create({ externalId: `old-${step}` }));
      if (!died) break;
    }
  });

  it('are not written where the vault or the store is away', async () => {
    const { id } = done(await create({ name: 'Ada' }));
    for (const call of ['open', 'seal'] as const) {
      stage.vault.fail(call);
      expect(await change(id, { name: 'Eve' })).toEqual({ kind: 'NotStored' });
    }
    stage.vault.fail('seal');
    expect(await create({ name: 'Eve' })).toEqual({ kind: 'NotStored' });
    stage.store.inject({ kind: 'Unavailable' });
    expect(await create({ name: 'Eve' })).toEqual({ kind: 'NotStored' });
    stage.store.inject({ kind: 'LoseAnswer', written: true });
    stage.store.inject({ kind: 'LoseAnswer', written: false }, { times: 1_000 });
    await expect(create({ name: 'Eve' })).rejects.toMatchObject({ code: 'Unknown' });
  });

  it('of another merchant are not found', async () => {
    const { id } = done(await create({ externalId: 'c-1' }));
    const other = { ...stage.context(), merchant: { ...stage.merchant, id: 'mer_OTHER' } };
    expect(await stage.useCases.accountHolders.change(other, id, { name: 'Eve' })).toMatchObject(notFound);
    expect(await stage.useCases.accountHolders.erase(other, id)).toMatchObject(notFound);
    expect((await stage.useCases.accountHolders.create(other, { externalId: 'c-1' })).kind).toBe('Done');
  });
});
