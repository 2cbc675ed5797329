import type { handleServerStreamingCall, ServerWritableStream } from '@grpc/grpc-js';
import { setTimeout as sleep } from 'node:timers/promises';
import { waitUntilDrained } from '../node/response.pipeline.js';
import type { ReadReq } from '../grpc.definitions.js';
import { streamNameOf } from '../log/proposed.events.js';
import { readResponses } from './read.responses.js';
import { readRange } from './read.range.js';
import { refusalError } from '../node/call.refusal.js';
import type { ServerFault } from '../node/server.faults.js';
import type { NodeContext } from '../node/node.context.js';
import { openSubscription } from './subscription.start.js';

export type ReadCall = ServerWritableStream<ReadReq, Buffer>;

/** Messages sent this time before a reset still reach the client. */
const BEFORE_RESET_MS = 10;

/** `Read`: reads of a stream or of the whole store, and subscriptions. */
export function read(node: NodeContext): handleServerStreamingCall<ReadReq, Buffer> {
  return (call) =>
    void answer(node, call).catch(() =>
      call.emit('error', refusalError({ kind: 'Invalid', why: 'handler' })),
    );
}

async function answer(node: NodeContext, call: ReadCall): Promise<void> {
  const options = call.request.getOptions();
  if (options === undefined)
    return void call.emit('error', refusalError({ kind: 'Invalid', why: 'options' }));
  const subscribes = options.hasSubscription();
  const named = options.getStream();
  const stream = named === undefined ? '$all' : streamNameOf(named);
  const admission = await node.admit(call, { call: subscribes ? 'subscribe' : 'read', stream });
  if (admission.kind === 'Refused') return void call.emit('error', refusalError(admission.refusal));
  if (admission.kind === 'Silent' || node.losesResponse(call, admission.fault)) return;
  const limit = eventsBeforeDrop(admission.fault);
  const onLimit = () => void dropSoon(node, call);
  if (subscribes) return openSubscription(node, call, options, { events: limit, reached: onLimit });
  await sendRange(node, call, options, { events: limit, reached: onLimit });
}

async function sendRange(
  node: NodeContext,
  call: ReadCall,
  options: ReadReq.Options,
  limit: { readonly events: number; readonly reached: () => void },
): Promise<void> {
  const range = readRange(node.view, options);
  if (range.kind === 'Refused') return void call.emit('error', refusalError(range.refusal));
  if (range.kind === 'StreamNotFound') {
    call.write(readResponses.streamNotFound(range.stream));
    return void call.end();
  }
  let sent = 0;
  for (const record of range.records) {
    if (sent === limit.events) return limit.reached();
    sent += 1;
    if (call.write(node.view.log.message(record))) continue;
    if (!(await waitUntilDrained(call))) return;
    if (node.gate.frozen) await node.gate.waitUntilThawed();
  }
  if (limit.events !== Infinity) return limit.reached();
  call.end();
}

function eventsBeforeDrop(fault: ServerFault | undefined): number {
  return fault?.kind === 'DropConnection' ? (fault.afterEvents ?? 0) : Infinity;
}

async function dropSoon(node: NodeContext, call: ReadCall): Promise<void> {
  await sleep(BEFORE_RESET_MS);
  node.dropConnection(call);
}
