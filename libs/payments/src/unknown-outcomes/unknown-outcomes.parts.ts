import { isDeferred, type ConfirmationRule } from '@tillstream/domain';
import { iso, type Clock } from '../clock.port.js';
import type { OpenWorkStore, Work } from '../open-work.port.js';
import type { ResolveParts } from '../resolver/case.js';
import { workId } from '../resolver/work.change.js';
import type { WorkResolver } from '../resolver/resolver.js';
import type { Resolutions } from './resolutions.js';
import type { Subject } from './subject.js';
import type { NotDone } from './unknown-outcomes.types.js';

export interface UnknownOutcomesParts {
  readonly resolving: ResolveParts;
  /** What feeds the table. */
  readonly resolver: Pick<WorkResolver, 'feed'>;
  readonly table: OpenWorkStore;
  readonly resolutions: Resolutions;
  readonly rule: ConfirmationRule;
}

/** Hundreds of events each at least: enough for what came since the resolver's last look, and never all of history. */
const PAGES_FED = 5;

/** What happened a moment ago is in the table then; a long history is left to the resolver. */
export function lookAtHistory({ resolver }: UnknownOutcomesParts): Promise<unknown> {
  return resolver.feed({ pages: PAGES_FED });
}

/** The row of its inquiries; undefined where the table is still being made from history. */
export function rowOf({ table }: UnknownOutcomesParts, { operation }: Subject): Promise<Work | undefined> {
  return table.find(workId(isDeferred(operation) ? 'Answer' : 'Outcome', operation.id));
}

/**
 * Until the first inquiry is due its caller may still wait, and its sender may still write what it hears: nobody comes
 * in between (`docs/spec/unknown-outcomes.md#operators`).
 */
export function tooEarly(
  { resolving: { clock, timings } }: UnknownOutcomesParts,
  { operation }: Subject,
  row: Work | undefined,
): Extract<NotDone, { kind: 'TooEarly' }> | undefined {
  const byTry = Date.parse(operation.attempt?.answerBefore ?? operation.createdAt) + timings.margin;
  const isFirst = row !== undefined && row.clock === 'Real' && row.dueAt !== null;
  const dueAt = isFirst ? (row.dueAt ?? byTry) : row ? Number.NEGATIVE_INFINITY : byTry;
  if (dueAt <= clock.realNow()) return undefined;
  return { kind: 'TooEarly', firstInquiryAt: iso(serviceTimeOf({ clock: 'Real', dueAt }, clock)) };
}

/** When it is due as operators see it, beside times of the service: in a sandbox its clock may be days ahead. */
export function serviceTimeOf<Due extends number | null>(
  { clock: by, dueAt }: { readonly clock: Work['clock']; readonly dueAt: Due },
  clock: Pick<Clock, 'now' | 'realNow'>,
): Due {
  if (dueAt === null || by === 'Service') return dueAt;
  return (dueAt + clock.now() - clock.realNow()) as Due;
}
