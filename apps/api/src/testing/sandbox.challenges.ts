import { join } from 'node:path';
import { openSandbox, type CardAuthentication } from '@tillstream/sandbox';
import type { TestApi } from './test.api.js';

let lastKey = 0;

/** A challenge in the sandbox of this API that no attempt of the service has begun. */
export function openChallenge(
  { dataDir }: Pick<TestApi, 'dataDir'>,
  rest: Partial<CardAuthentication> = {},
): { readonly key: string; readonly id: string; readonly path: string } {
  const key = rest.key ?? `trx_${String(++lastKey).padStart(26, '0')}.1`;
  const ledger = globalThis.SANDBOX === 'network' ? join(dataDir, 'acquirer') : dataDir;
  const sandbox = openSandbox({ file: join(ledger, 'sandbox.db'), processorDeadlineMs: 300 });
  try {
    const reaction = sandbox.threeDs.authenticate({
      cardNumber: '4000000000003220',
      amount: 1_250,
      currency: 'USD',
      merchantName: 'Maple Street Books',
      challengeExpiresAt: Date.now() + 600_000,
      ...rest,
      key,
    });
    if (reaction.kind !== 'ChallengeRequired') throw new Error('no challenge');
    return { key, id: reaction.challengeId, path: `/sandbox/acs/${reaction.challengeId}` };
  } finally {
    sandbox.close();
  }
}
