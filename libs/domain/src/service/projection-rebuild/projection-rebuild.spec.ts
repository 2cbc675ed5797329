import { fileURLToPath } from 'node:url';
import { codecContract } from '../../shared/testing/codec-contract.testing.js';
import { projectionRebuildCodec, projectionRebuildStream } from './projection-rebuild.js';

describe('the record of ordered rebuilds', () => {
  it('has a stream for each list', () => {
    expect(projectionRebuildStream('payment_methods')).toBe('projection-payment_methods');
  });

  codecContract(projectionRebuildCodec, fileURLToPath(new URL('./fixtures', import.meta.url)), {
    ProjectionRebuildOrdered: {
      at: '2026-03-01T12:00:00.000Z',
      commandId: '0195537a-0000-7000-8000-000000000001',
      projection: 'transactions',
      by: { keyId: 'key_01JQ0000000000000000000000', name: 'Anna' },
    },
  });
});
