import { fileURLToPath } from 'node:url';
import { codecContract } from '../shared/testing/codec-contract.testing.js';
import { merchantApplicationCodec } from './merchant-application.js';

const at = '2026-03-01T12:00:00.000Z';

describe('the stored events of merchant applications', () => {
  codecContract(merchantApplicationCodec, fileURLToPath(new URL('./fixtures', import.meta.url)), {
    MerchantApplicationStarted: { at, applicationId: 'app_01JQ0000000000000000000000' },
    MerchantApplicationInfoUploaded: { at },
    MerchantApplicationRequiresAction: {
      at,
      reason: 'Incomplete.',
      requiredActions: ['Upload a bank statement'],
    },
    MerchantApplicationSubmitted: { at },
    MerchantApplicationStatusChanged: { at, status: 'UnderReview', reason: 'An underwriter reads it.' },
    MerchantApproved: { at },
    MerchantRejected: { at, reason: 'The business is not supported.' },
  });
});
