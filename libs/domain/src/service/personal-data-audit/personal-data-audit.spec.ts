import { fileURLToPath } from 'node:url';
import { codecContract } from '../../shared/testing/codec-contract.testing.js';
import { personalDataAuditCodec, personalDataAuditStream } from './personal-data-audit.js';

describe('the audit of personal data that operators read', () => {
  it('has a stream for each day', () => {
    expect(personalDataAuditStream('2026-03-01')).toBe('personaldata-2026-03-01');
  });

  codecContract(personalDataAuditCodec, fileURLToPath(new URL('./fixtures', import.meta.url)), {
    PersonalDataRead: {
      at: '2026-03-01T12:00:00.000Z',
      operator: 'Ann',
      keyId: 'key_01JQ0000000000000000000000',
      subject: {
        type: 'AccountHolder',
        id: 'acc_01JQ0000000000000000000000',
        merchantId: 'mer_01JQ0000000000000000000000',
      },
      why: 'request 4711 of the person',
    },
  });
});
