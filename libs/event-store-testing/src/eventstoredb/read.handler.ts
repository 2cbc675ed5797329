import type { handleServerStreamingCall, ServerWritableStream } from '@grpc/grpc-js';
import { setTimeout as sleep } from 'node:timers/promises';
import { drained } from './answer.pipe.js';
import type { ReadReq } from './grpc.definitions.js';
import { streamNameOf } from './proposed.events.js';
import { readAnswers } from './read.answers.js';
import { readRange } from './read.range.js';
import { statusOf } from './refusals.js';
import type { ServerFault } from './server.faults.js';
import type { ServerNode } from './server.node.js';
import { openSubscription } from './subscription.start.js';

export type ReadCall = ServerWritableStream<ReadReq, Buffer>;

/** What was sent before a reset reaches the client if it had this long to leave the process. */
const BEFORE_RESET_MS = 10;

/** `Read`: reads of a stream or of all, and subscriptions. */
export function read(node: ServerNode): handleServerStreamingCall<ReadReq, Buffer> {
  return (call) =>
    void answer(node, call).catch(() => call.emit('error', statusOf({ kind: 'Invalid', why: 'handler' })));
}

async function answer(node: ServerNode, call: ReadCall): Promise<void> {
  const options = call.request.getOptions();
  if (options === undefined) return void call.emit('error', statusOf({ kind: 'Invalid', why: 'options' }));
  const subscribes = options.hasSubscription();
  const named = options.getStream();
  const stream = named === undefined ? '$all' : streamNameOf(named);
  const admission = await node.admit(call, { call: subscribes ? 'subscribe' : 'read', stream });
  if (admission.kind === 'Refused') return void call.emit('error', statusOf(admission.refusal));
  if (admission.kind === 'Silent' || node.loses(call, admission.fault)) return;
  const limit = eventsBeforeDrop(admission.fault);
  const onLimit = () => void dropSoon(node, call);
  if (subscribes) return openSubscription(node, call, options, { events: limit, reached: onLimit });
  await sendRange(node, call, options, { events: limit, reached: onLimit });
}

async function sendRange(
  node: ServerNode,
  call: ReadCall,
  options: ReadReq.Options,
  limit: { readonly events: number; readonly reached: () => void },
): Promise<void> {
  const range = readRange(node.view, options);
  if (range.kind === 'Refused') return void call.emit('error', statusOf(range.refusal));
  if (range.kind === 'StreamNotFound') {
    call.write(readAnswers.streamNotFound(range.stream));
    return void call.end();
  }
  let sent = 0;
  for (const record of range.records) {
    if (sent === limit.events) return limit.reached();
    sent += 1;
    if (call.write(node.view.log.message(record))) continue;
    if (!(await drained(call))) return;
    if (node.gate.frozen) await node.gate.open();
  }
  if (limit.events !== Infinity) return limit.reached();
  call.end();
}

function eventsBeforeDrop(fault: ServerFault | undefined): number {
  return fault?.kind === 'DropConnection' ? (fault.afterEvents ?? 0) : Infinity;
}

async function dropSoon(node: ServerNode, call: ReadCall): Promise<void> {
  await sleep(BEFORE_RESET_MS);
  node.drop(call);
}
