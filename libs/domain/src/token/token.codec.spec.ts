import { fileURLToPath } from 'node:url';
import { codecContract } from '../shared/testing/codec-contract.testing.js';
import { completeTokenEvents } from './testing/complete-events.testing.js';
import { tokenCodec } from './token.events.js';

const fixtures = fileURLToPath(new URL('./fixtures', import.meta.url));

describe('the stored events of a stored card', () => {
  codecContract(tokenCodec, fixtures, completeTokenEvents);
});
