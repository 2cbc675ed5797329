import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Authentication } from './authentication.js';
import { PaymentsTestSetup } from '../testing/payments.setup.js';

const operator = { type: 'Operator', name: 'o' } as const;

describe('authentication', () => {
  let setup: PaymentsTestSetup;
  beforeEach(async () => {
    setup = await PaymentsTestSetup.open();
  });
  afterEach(() => setup.close());

  const issue = () =>
    setup.useCases.provisioning.issueApiKey(operator, setup.merchant.id, {
      name: 'till',
      readOnly: false,
      mode: 'test',
    });

  it('accepts a new key at once, also after a failed lookup of another key', async () => {
    expect(await setup.useCases.authentication.authenticate('sk_test_unknown')).toBeUndefined();
    const { key, keyId } = await issue();
    expect(key).toMatch(/^sk_test_[0-9A-Za-z]{32}$/);
    expect(await setup.useCases.authentication.authenticate(key)).toMatchObject({
      kind: 'Merchant',
      keyId,
      keyName: 'till',
    });
  });

  it('rejects a revoked key within 2 s', async () => {
    const { key, keyId } = await issue();
    await setup.useCases.authentication.authenticate(key);
    await setup.useCases.provisioning.revokeApiKey(operator, setup.merchant.id, keyId);
    setup.clock.monotonic += 2_000;
    expect(await setup.useCases.authentication.authenticate(key)).toBeUndefined();
  });

  it('sees a disabled merchant at once in the process that disabled it, and within 2 s in others', async () => {
    const { key } = await issue();
    const here = setup.useCases.authentication;
    const elsewhere = new Authentication({ store: setup.memory, clock: setup.clock });
    const seen = async () =>
      Promise.all(
        [here, elsewhere].map(async (authentication) => {
          const caller = await authentication.authenticate(key);
          return caller?.kind === 'Merchant' && caller.merchant.status;
        }),
      );
    expect(await seen()).toEqual(['Active', 'Active']);
    await setup.useCases.provisioning.setMerchantDisabled(operator, setup.merchant.id, {
      disabled: true,
      reason: 'fraud',
    });
    expect(await seen()).toEqual(['Disabled', 'Active']);
    setup.clock.monotonic += 2_000;
    expect(await seen()).toEqual(['Disabled', 'Disabled']);
  });

  it('stores the hash of a key, never the key', async () => {
    const { key } = await issue();
    const { events } = await setup.memory.readAll();
    expect(JSON.stringify(events)).not.toContain(key);
  });

  it('identifies an operator by an admin key', async () => {
    const { key } = await setup.useCases.provisioning.issueAdminKey(operator, { name: 'ops' });
    expect(key).toMatch(/^ak_[0-9A-Za-z]{32}$/);
    expect(await setup.useCases.authentication.authenticate(key)).toMatchObject({
      kind: 'Operator',
      keyName: 'ops',
    });
  });
});
