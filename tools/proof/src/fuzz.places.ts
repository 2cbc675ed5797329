import type { FuzzOperation } from './fuzz.operations.js';
import type { FuzzWorld } from './fuzz.world.js';

/** The header with the key that its caller has. */
export function keyed(
  { forOperators }: Pick<FuzzOperation, 'forOperators'>,
  world: FuzzWorld,
): readonly [string, string] {
  return ['x-api-key', forOperators ? world.adminKey : world.own.apiKey];
}

/** With ids that are there. What operators change is the spare merchant's. */
export function pathFor({ path }: Pick<FuzzOperation, 'path'>, { own, spare }: FuzzWorld): string {
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
