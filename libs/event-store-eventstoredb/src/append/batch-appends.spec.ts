import type { BatchAppendReq } from '@eventstore/db-client/generated/streams_pb.js';
import { serialiseAppend } from '@tillstream/event-store';
import { BatchAppends, type BatchCall } from './batch-appends.js';
import { appendToNewStream } from '../faulty-server.fixture.js';

it('A server whose clock is half a minute ahead has as much time for an append as any other', async () => {
  const sent: BatchAppendReq[] = [];
  const call: BatchCall = { write: (message) => sent.push(message) > 0, on: () => undefined };
  const appends = new BatchAppends(() => Promise.resolve(call));
  appends.send(serialiseAppend(appendToNewStream()), 'none', 1_000);
  await new Promise((resolve) => setImmediate(resolve));
  const deadline = sent[0]?.getOptions()?.getDeadline()?.toDate().getTime() ?? 0;
  expect(deadline - Date.now()).toBeGreaterThan(30_000);
});
