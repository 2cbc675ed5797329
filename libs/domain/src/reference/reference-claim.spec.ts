import { fileURLToPath } from 'node:url';
import { codecContract } from '../shared/testing/codec-contract.testing.js';
import { referenceCodec, referenceStream } from './reference-claim.js';

describe('the stored claims of a reference id', () => {
  codecContract(referenceCodec, fileURLToPath(new URL('./fixtures', import.meta.url)), {
    ReferenceClaimed: {
      at: '2026-03-01T12:00:00.000Z',
      stream: 'payment-01JQ0000000000000000000',
      commandId: '0195537a-0000-7000-8000-000000000001',
      operationId: 'trx_01JQ0000000000000000000P00',
    },
  });

  it('are in a stream of the merchant and the reference, whose category has no dash', () => {
    expect(referenceStream('mer_1', 'abc')).toBe('reference-mer_1.abc');
  });
});
