import type { ReadReq } from '../grpc.definitions.js';
import type { LogView } from '../log/log.view.js';
import type { Matches } from '../log/event.filter.js';
import { eventFilter } from '../log/event.filter.js';
import { streamNameOf } from '../log/proposed.events.js';
import type { CallRefusal } from '../node/call.refusal.js';

/** The records of a finite read, in the order in which they are sent. */
export type ReadRange =
  | { readonly kind: 'Records'; readonly records: Iterable<number> }
  | { readonly kind: 'StreamNotFound'; readonly stream: string }
  | { readonly kind: 'Refused'; readonly refusal: CallRefusal };

export function readRange(view: LogView, options: ReadReq.Options): ReadRange {
  const count = Number(options.getCount());
  // The real server answers so; its answer does not name the cause.
  if (count === 0) return { kind: 'Refused', refusal: { kind: 'Invalid', why: 'count' } };
  const backwards = options.getReadDirection() === 1;
  const stream = options.getStream();
  return stream === undefined
    ? allRange(view, options, backwards, count)
    : streamRange(view, stream, backwards, count);
}

function allRange(view: LogView, options: ReadReq.Options, backwards: boolean, count: number): ReadRange {
  const all = options.getAll();
  const filter = options.getFilter();
  const matches = filter === undefined ? undefined : eventFilter(filter, view.log).matches;
  const position = all?.getPosition();
  let from = all?.hasEnd() === true ? view.head : 0;
  if (position !== undefined) {
    const place = recordAt(view, Number(position.getCommitPosition()));
    if (place === undefined)
      return { kind: 'Refused', refusal: { kind: 'Unexpected', why: 'Unexpected ReadAllResult: Error' } };
    from = place;
  }
  const numbers = backwards ? span(from - 1, -1, from) : span(from, 1, view.head - from);
  return { kind: 'Records', records: selected(numbers, matches, count) };
}

/** The number of the record at this position; undefined for a position between two records. 0 is the start of the log. */
export function recordAt(view: LogView, position: number): number | undefined {
  const { log } = view;
  if (position === 0) return 0;
  const record = log.firstAtOrAfter(position);
  return log.position(record) === position || position >= log.end ? record : undefined;
}

function streamRange(
  view: LogView,
  options: ReadReq.Options.StreamOptions,
  backwards: boolean,
  count: number,
): ReadRange {
  const name = streamNameOf(options);
  const stream = view.log.stream(name);
  if (name === '') return { kind: 'Refused', refusal: { kind: 'Invalid', why: 'stream' } };
  if (stream?.tombstoned === true)
    return { kind: 'Refused', refusal: { kind: 'StreamDeleted', stream: name } };
  const revisions = stream === undefined ? 0 : view.revisions(stream);
  const first = stream?.truncateBefore ?? 0;
  if (stream === undefined || first >= revisions) return { kind: 'StreamNotFound', stream: name };
  const start = options.hasStart() ? 0 : options.hasEnd() ? Infinity : Number(options.getRevision());
  const from = backwards ? Math.min(start, revisions - 1) : Math.max(start, first);
  const length = backwards ? from - first + 1 : revisions - from;
  const places = span(from, backwards ? -1 : 1, Math.min(length, count));
  return { kind: 'Records', records: placed(places, stream.records) };
}

function* span(from: number, step: 1 | -1, length: number): Generator<number> {
  for (let index = 0; index < length; index++) yield from + step * index;
}

function* placed(revisions: Iterable<number>, records: readonly number[]): Generator<number> {
  for (const revision of revisions) yield records[revision] ?? 0;
}

function* selected(
  records: Iterable<number>,
  matches: Matches | undefined,
  count: number,
): Generator<number> {
  let left = count;
  for (const record of records) {
    if (left <= 0) return;
    if (matches?.(record) === false) continue;
    left -= 1;
    yield record;
  }
}
