import type { FuzzOperation } from './api.operations.js';
import type { FuzzFixture } from './fuzz.fixture.js';

/** The header with the key of the caller. */
export function keyHeader(
  { forOperators }: Pick<FuzzOperation, 'forOperators'>,
  fixture: FuzzFixture,
): readonly [string, string] {
  return ['x-api-key', forOperators ? fixture.adminKey : fixture.own.apiKey];
}

/** Fills in ids that exist; operators' calls get those of the spare merchant. */
export function targetPath({ path }: Pick<FuzzOperation, 'path'>, { own, spare }: FuzzFixture): string {
  return path.replace(/\{(\w+)\}/g, (_braces, name: string) => {
    if (path.includes('/merchants/')) return name === 'keyId' ? spare.keyId : spare.merchantId;
    if (path.startsWith('/admin/v1/payment-methods/')) return spare.form;
    if (path.includes('/terminals/')) return spare.terminal;
    if (path.includes('/unknown-outcomes/')) return own.sale;
    if (path.includes('/processors/')) return 'sandbox';
    if (path.includes('/projections/')) return 'transactions';
    if (path.includes('/token/')) return own.token;
    if (path.includes('/account-holder')) return own.holder;
    return own.sale;
  });
}
