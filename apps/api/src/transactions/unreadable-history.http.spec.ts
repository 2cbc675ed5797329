import type { SandboxTerminal } from '@tillstream/contracts';
import { streamOfOperation, streamOfToken } from '@tillstream/domain';
import { newEventId, type EventStore } from '@tillstream/event-store';
import {
  startEventStoreDbDouble,
  type EventStoreDbDouble,
} from '@tillstream/event-store-testing/eventstoredb';
import { openEventStoreAt } from '@tillstream/platform';
import { envelopeOf, refusal, startTestApi, type TestApi } from '../testing/test.api.js';

let server: EventStoreDbDouble;
let events: EventStore;
let api: TestApi;
let terminal: string;
beforeAll(async () => {
  server = await startEventStoreDbDouble();
  events = await openEventStoreAt(server.url);
  api = await startTestApi({
    EVENT_STORE: 'eventstoredb',
    EVENTSTOREDB_URL: server.url,
    TERMINAL_DEADLINE_MS: '20000',
  });
  terminal = api.method('Front counter').id;
});
afterAll(async () => {
  await api.stop();
  await events.close();
  await server.close();
});

/** An event that only a newer version knows. */
async function writeForeseen(stream: string | undefined): Promise<void> {
  if (stream === undefined) throw new Error('no stream goes by this id');
  const { events: last } = await events.readStream(stream, { direction: 'backwards', limit: 1 });
  const event = { id: newEventId(), type: 'Foreseen', data: {}, metadata: { schemaVersion: 1 } };
  await events.append({ stream, expected: last[0]?.revision ?? 'none', events: [event] });
}

async function waitingTransaction(): Promise<string> {
  for (;;) {
    const reply = await api.get(`/admin/v1/sandbox/terminals/${terminal}`);
    const { waiting } = JSON.parse(reply.text) as SandboxTerminal;
    if (waiting) return waiting.transactionId;
    await new Promise((resume) => setTimeout(resume, 10));
  }
}

describe('While a newer version writes into the same streams', () => {
  it.each([{}, { 'idempotency-key': 'foreseen' }])(
    'a sale that is charged is answered Interrupted, with its id (%o)',
    async (headers) => {
      await api.setTerminal(terminal, { mode: 'Manual' });
      const sale = api.operation('physical-sale', { amount: 1_000 }, { headers });
      const id = await waitingTransaction();
      await writeForeseen(streamOfOperation(id));
      const act = `/admin/v1/sandbox/terminals/${terminal}/customer`;
      await api.call('POST', act, { body: { action: 'Tap' } });
      const reply = await sale;
      expect(refusal(reply)).toBe('500 3000 Interrupted');
      expect(envelopeOf(reply).errorDetails[0]?.details).toBe(id);
      await api.setTerminal(terminal, { mode: 'Auto' });
    },
  );

  it('a refund of what can not be read was not stored, and says so', async () => {
    const { id } = await api.transaction('physical-sale', { amount: 1_000 });
    await writeForeseen(streamOfOperation(id));
    expect(refusal(await api.operation('refund', { originalTransactionId: id }))).toBe('500 9000 Rejected');
  });

  it('an erasure that went half its way is not said to have stored nothing', async () => {
    const token = await api.token({ accountHolder: { externalId: 'anna' } });
    await writeForeseen(streamOfToken(token));
    const erased = await api.call('DELETE', '/v1/account-holders/anna');
    expect(refusal(erased)).toBe('500 9000 Unknown');
    expect((await api.get('/v1/account-holders/anna')).status).toBe(404);
  });
});
