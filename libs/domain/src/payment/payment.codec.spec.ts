import { fileURLToPath } from 'node:url';
import { codecContract } from '../shared/testing/codec-contract.testing.js';
import { paymentCodec } from './payment.events.js';
import { completeEvents } from './testing/complete-events.testing.js';

const fixtures = fileURLToPath(new URL('./fixtures', import.meta.url));
const interrupted = {
  at: '2026-03-01T12:00:00.000Z',
  operationId: 'trx_01JQ0000000000000000000P01',
  try: 1,
} as const;

const { chargebackId: _chargebackId, ...batchedBefore } = completeEvents.Batched;
const { threeDsServer: _server, personal: _personal, ...byProcessor } = completeEvents.ChallengeOpened;

describe('the stored events of a payment', () => {
  codecContract(paymentCodec, fixtures, completeEvents, [
    {
      stored: { type: 'Interrupted', schemaVersion: 1, data: interrupted },
      readAs: { type: 'Interrupted', data: { ...interrupted, cause: 'NoAnswer', lostLink: false } },
    },
    {
      stored: { type: 'ChallengeOpened', schemaVersion: 1, data: byProcessor },
      readAs: { type: 'ChallengeOpened', data: byProcessor },
    },
    {
      stored: { type: 'Batched', schemaVersion: 1, data: batchedBefore },
      readAs: { type: 'Batched', data: batchedBefore },
    },
  ]);

  it('reading an old event does not change the stored one', () => {
    const data = Object.freeze({ ...interrupted });
    paymentCodec.decode({ type: 'Interrupted', schemaVersion: 1, data });
    expect(data).not.toHaveProperty('cause');
  });
});
