import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { StreamAuthentication } from './authentication.js';
import { PaymentsTestSetup } from '../testing/payments.setup.js';

const operator = { type: 'Operator', name: 'o' } as const;

describe('keys and merchants', () => {
  let stage: PaymentsTestSetup;
  beforeEach(async () => {
    stage = await PaymentsTestSetup.open();
  });
  afterEach(() => stage.close());

  const issue = () =>
    stage.useCases.provisioning.issueApiKey(operator, stage.merchant.id, {
      name: 'till',
      readOnly: false,
      mode: 'test',
    });

  it('a new key works at once, also when it was asked for before', async () => {
    expect(await stage.useCases.authentication.authenticate('sk_test_nobody')).toBeUndefined();
    const { key, keyId } = await issue();
    expect(key).toMatch(/^sk_test_[0-9A-Za-z]{32}$/);
    expect(await stage.useCases.authentication.authenticate(key)).toMatchObject({
      kind: 'Merchant',
      keyId,
      keyName: 'till',
    });
  });

  it('a revoked key stops within 2 s', async () => {
    const { key, keyId } = await issue();
    await stage.useCases.authentication.authenticate(key);
    await stage.useCases.provisioning.revokeApiKey(operator, stage.merchant.id, keyId);
    stage.clock.monotonic += 2_000;
    expect(await stage.useCases.authentication.authenticate(key)).toBeUndefined();
  });

  it('a disabled merchant is seen as disabled at once by who disabled it, within 2 s by others', async () => {
    const { key } = await issue();
    const here = stage.useCases.authentication;
    const elsewhere = new StreamAuthentication(stage.memory, stage.clock);
    const seen = async () =>
      Promise.all(
        [here, elsewhere].map(async (directory) => {
          const caller = await directory.authenticate(key);
          return caller?.kind === 'Merchant' && caller.merchant.status;
        }),
      );
    expect(await seen()).toEqual(['Active', 'Active']);
    await stage.useCases.provisioning.setMerchantDisabled(operator, stage.merchant.id, true, 'fraud');
    expect(await seen()).toEqual(['Disabled', 'Active']);
    stage.clock.monotonic += 2_000;
    expect(await seen()).toEqual(['Disabled', 'Disabled']);
  });

  it('the store holds the hash of a key, never the key', async () => {
    const { key } = await issue();
    const { events } = await stage.memory.readAll();
    expect(JSON.stringify(events)).not.toContain(key);
  });

  it('an operator’s key is no merchant’s', async () => {
    const { key } = await stage.useCases.provisioning.issueAdminKey(operator, { name: 'ops' });
    expect(key).toMatch(/^ak_[0-9A-Za-z]{32}$/);
    expect(await stage.useCases.authentication.authenticate(key)).toMatchObject({
      kind: 'Operator',
      keyName: 'ops',
    });
  });
});
