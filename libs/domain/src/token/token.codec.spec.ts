import { fileURLToPath } from 'node:url';
import { codecContract } from '../shared/testing/codec-contract.testing.js';
import { completeTokenEvents } from './testing/complete-events.testing.js';
import { tokenCodec } from './token.events.js';

const { personal: _sinceVersion2, ...verificationRequested } = completeTokenEvents.VerificationRequested;
const fixtures = fileURLToPath(new URL('./fixtures', import.meta.url));

describe('the stored events of a stored card', () => {
  codecContract(tokenCodec, fixtures, completeTokenEvents, [
    {
      stored: { type: 'VerificationRequested', schemaVersion: 1, data: verificationRequested },
      readAs: { type: 'VerificationRequested', data: verificationRequested },
    },
  ]);
});
