import { formatCount } from '@tillstream/platform/command-line';
import { LAG_EVENTS_MAX } from '@tillstream/read-models';
import type { NextEvent } from './next.event.js';
import type { ProjectionView } from './projection.views.js';

const NAME_WIDTH = 22;

export function projectionLine(view: ProjectionView): string {
  return `${view.name.padEnd(NAME_WIDTH)} ${view.status}, ${behindText(view)}${view.reason === undefined ? '' : `: ${view.reason}`}`;
}

function behindText({ lagEvents, position }: ProjectionView): string {
  const after = position === undefined ? '' : `, handled up to position ${position}`;
  if (lagEvents === 0) return `up to date${after}`;
  const more = lagEvents >= LAG_EVENTS_MAX ? ' or more' : '';
  return `${formatCount(lagEvents)}${more} ${lagEvents === 1 ? 'event' : 'events'} behind${after}`;
}

/** What is shown of an event: an allow-list, since its content may be personal. Printed as it is with `--json`. */
export interface ShownProjection {
  readonly name: string;
  readonly status: ProjectionView['status'];
  readonly reason?: string;
  readonly position?: string;
  readonly lagEvents: number;
  /** The first event that it has not handled. */
  readonly next?: ShownEvent;
}

interface ShownEvent {
  readonly stream: string;
  readonly revision: number;
  readonly position: string;
  readonly id?: string;
  readonly type?: string;
  readonly schemaVersion?: number;
  /** RFC 3339, real time. */
  readonly recordedAt?: string;
  readonly actorType?: string;
  readonly traceId?: string;
  /** Names only. */
  readonly fields?: readonly string[];
  readonly chain: string;
  readonly problem?: NonNullable<NextEvent['problem']>;
}

export function shownProjection(
  { name, status, reason, position, lagEvents }: ProjectionView,
  next: NextEvent | undefined,
  brokenChain: string | undefined,
): ShownProjection {
  return {
    ...{ name, status, lagEvents },
    ...(reason !== undefined && { reason }),
    ...(position !== undefined && { position }),
    ...(next && { next: shownEvent(next, brokenChain) }),
  };
}

function shownEvent(
  { stream, revision, position, event, problem }: NextEvent,
  brokenChain: string | undefined,
): ShownEvent {
  const { schemaVersion, realTime, traceId, actor } = event?.metadata ?? {};
  const actorType =
    typeof actor === 'object' && actor !== null && 'type' in actor ? actor['type'] : undefined;
  return {
    ...{ stream, revision, position, chain: brokenChain ?? 'Intact' },
    ...(event && { id: event.id, fields: event.fields, ...onlyIf(NAME, 'type', event.type) }),
    ...(typeof schemaVersion === 'number' && { schemaVersion }),
    ...onlyIf(TIME, 'recordedAt', realTime),
    ...onlyIf(NAME, 'actorType', actorType),
    ...onlyIf(TRACE, 'traceId', traceId),
    ...(problem && { problem }),
  };
}

const NAME = /^[A-Za-z]\w{0,60}$/;
const TIME = /^\d{4}-\d\d-\d\dT[\d:.]{8,12}Z$/;
const TRACE = /^[\da-f]{32}$/;

/** A damaged event can have anything in any place. */
function onlyIf<Field extends string>(
  form: RegExp,
  field: Field,
  value: unknown,
): { [Name in Field]?: string } {
  return typeof value === 'string' && form.test(value)
    ? ({ [field]: value } as { [Name in Field]?: string })
    : {};
}

export function shownLines(shown: ShownProjection): readonly string[] {
  const { next } = shown;
  const rows: (readonly [string, string | undefined])[] = [
    ['status', shown.status],
    ['reason', shown.reason],
    ['handled', shown.position === undefined ? 'nothing yet' : `up to position ${shown.position}`],
    ['behind', `${formatCount(shown.lagEvents)} events`],
    ...(next ? eventRows(next) : []),
    ['what to do', adviceOf(shown)],
  ];
  return [shown.name, ...rows.flatMap(([name, text]) => (text ? [`  ${name.padEnd(11)} ${text}`] : []))];
}

function eventRows(next: ShownEvent): (readonly [string, string | undefined])[] {
  const { type, id, schemaVersion, recordedAt, problem } = next;
  const what =
    type === undefined
      ? 'its content can not be read'
      : `${type}, schema version ${schemaVersion ?? 'missing'}, id ${id ?? ''}, recorded ${recordedAt ?? 'at an unknown time'}`;
  return [
    ['next event', `${next.stream}, revision ${next.revision}, position ${next.position}`],
    ['', what],
    ['by', next.actorType],
    ['trace', next.traceId],
    ['fields', next.fields?.join(', ')],
    ['chain', next.chain === 'Intact' ? 'every hash of this stream is right' : `BROKEN at ${next.chain}`],
    ['problem', problem && `revision ${problem.revision}: ${problem.reason}`],
  ];
}

/** `docs/operations.md#poison-events` has the reasons. */
function adviceOf({ name, status, next }: ShownProjection): string {
  if (next?.problem?.kind === 'Unreadable')
    return 'Restore this event from a backup (restore-event) or another node; it must not be skipped. It goes on by itself then.';
  if (next?.problem?.kind === 'Unknown')
    return 'Deploy the version of the program that wrote this event everywhere. It goes on by itself then.';
  if (status === 'Halted')
    return `This version knows the event, so the program has a defect, or had one: correct it, then "projections retry ${name}".`;
  if (next)
    return 'It works. If it does not go on for minutes, look at the log of the process that leads it.';
  return 'Nothing: it is up to date.';
}
