import { randomUUID } from 'node:crypto';
import { eventFilter, type EventFilter } from '../log/event.filter.js';
import type { ReadReq } from '../grpc.definitions.js';
import type { LogView } from '../log/log.view.js';
import { streamNameOf } from '../log/proposed.events.js';
import type { ReadCall } from './read.handler.js';
import { recordAt } from './read.range.js';
import { refusalError } from '../node/call.refusal.js';
import type { NodeContext } from '../node/node.context.js';
import { LogSubscription, type EventLimit } from './log.subscription.js';

/** A subscription to the whole store or to one stream. The latter has a filter for the stream and sends no checkpoints. */
export function openSubscription(
  node: NodeContext,
  call: ReadCall,
  options: ReadReq.Options,
  limit: EventLimit,
): void {
  const stream = options.getStream();
  const start = stream === undefined ? startInAll(node.view, options) : startInStream(node.view, stream);
  if (start === undefined) {
    call.emit('error', refusalError({ kind: 'Unexpected', why: 'Unexpected ReadAllResult: Error' }));
    return;
  }
  new LogSubscription(node, call, { ...start, id: randomUUID(), limit }).run();
}

interface Start {
  readonly from: number;
  readonly filter: EventFilter | undefined;
}

function startInAll(view: LogView, options: ReadReq.Options): Start | undefined {
  const all = options.getAll();
  const filterOptions = options.getFilter();
  const filter = filterOptions === undefined ? undefined : eventFilter(filterOptions, view.log);
  if (all?.hasEnd() === true) return { from: view.head, filter };
  const position = all?.getPosition();
  if (position === undefined) return { from: 0, filter };
  const commit = Number(position.getCommitPosition());
  const record = recordAt(view, commit);
  if (record === undefined) return undefined;
  // A checkpoint of the catch-up is the next position to read, with a prepare position before any record. A live one is the
  // position of the last scanned record.
  const handled = view.log.position(record) === commit && Number(position.getPreparePosition()) >= commit;
  return { from: handled && record < view.log.count ? record + 1 : record, filter };
}

function startInStream(view: LogView, options: ReadReq.Options.StreamOptions): Start {
  const name = streamNameOf(options);
  const stream = view.log.stream(name);
  const filter = {
    matches: (record: number) => view.log.streamName(record) === name,
    checkpointEvery: Infinity,
  };
  const revisions = stream === undefined ? 0 : view.revisions(stream);
  if (options.hasEnd()) return { from: view.head, filter };
  const next = options.hasStart() ? 0 : Number(options.getRevision()) + 1;
  const first = Math.max(next, stream?.truncateBefore ?? 0);
  return { from: first < revisions ? (stream?.records[first] ?? view.head) : view.head, filter };
}
