import type { Checkpoint } from '@tillstream/event-consumers';
import type { HistoryWitness, Position } from '@tillstream/event-store';
import type {
  CountedFact,
  WorkQueue,
  UnknownOutcomesQuery,
  UnknownOutcomeCount,
  WorkItem,
  WorkItemChange,
  WorkKind,
} from './work-queue.port.js';

interface Entry {
  readonly work: WorkItem;
  /** Real time, ms. */
  readonly claimedUntil: number;
}

/** For tests. A new process feeds it again from the store. */
export class MemoryWorkQueue implements WorkQueue {
  private readonly items = new Map<string, Entry>();
  private readonly counts = new Map<CountedFact, number>();
  private last: HistoryWitness | undefined;

  async checkpoint(): Promise<Checkpoint | undefined> {
    return this.last && { position: this.last.position, witness: this.last };
  }

  async advance(
    changes: readonly WorkItemChange[],
    from: Position | undefined,
    to: HistoryWitness,
  ): Promise<boolean> {
    if (this.last?.position !== from) return false;
    for (const change of changes) {
      if (change.kind === 'Put') this.items.set(change.work.id, { work: change.work, claimedUntil: 0 });
      else if (change.kind === 'Remove') this.items.delete(change.id);
      else this.counts.set(change.what, (this.counts.get(change.what) ?? 0) + change.by);
    }
    this.last = to;
    return true;
  }

  async reset(): Promise<void> {
    this.items.clear();
    this.counts.clear();
    this.last = undefined;
  }

  async claimDue(
    now: { readonly service: number; readonly real: number },
    limit: number,
    leaseMs: number,
  ): Promise<WorkItem[]> {
    const due = this.due(now)
      .filter(({ claimedUntil }) => claimedUntil <= now.real)
      .slice(0, limit);
    for (const { work } of due) this.items.set(work.id, { work, claimedUntil: now.real + leaseMs });
    return due.map(({ work }) => work);
  }

  async reschedule(id: string, next: Pick<WorkItem, 'clock' | 'dueAt' | 'step'>): Promise<void> {
    const item = this.items.get(id);
    if (item) this.items.set(id, { work: { ...item.work, ...next }, claimedUntil: 0 });
  }

  async remove({ id, since, dueAt, step }: WorkItem): Promise<void> {
    const work = this.items.get(id)?.work;
    const isUnchanged = work?.since === since && work.dueAt === dueAt && work.step === step;
    if (isUnchanged) this.items.delete(id);
  }

  async find(id: string): Promise<WorkItem | undefined> {
    return this.items.get(id)?.work;
  }

  async list(kind: WorkKind, after: string | undefined, limit: number): Promise<WorkItem[]> {
    return [...this.items.values()]
      .map(({ work }) => work)
      .filter((work) => work.kind === kind && work.id > (after ?? ''))
      .sort((a, b) => (a.id < b.id ? -1 : 1))
      .slice(0, limit);
  }

  async countDue(now: { readonly service: number; readonly real: number }): Promise<number> {
    return this.due(now).length;
  }

  async claim(id: string, realNow: number, leaseMs: number): Promise<WorkItem | undefined> {
    const item = this.items.get(id);
    if (!item || item.claimedUntil > realNow) return undefined;
    this.items.set(id, { work: item.work, claimedUntil: realNow + leaseMs });
    return item.work;
  }

  async unknownOutcomes({ dueBy, merchantIds, after, limit }: UnknownOutcomesQuery): Promise<WorkItem[]> {
    return this.unknown(dueBy)
      .filter(({ merchantId }) => merchantIds === undefined || merchantIds.includes(merchantId ?? ''))
      .filter((work) => after === undefined || isBefore(after, work))
      .slice(0, limit);
  }

  async countUnknown(dueBy: number, most: number): Promise<UnknownOutcomeCount> {
    const unknown = this.unknown(dueBy).slice(0, most);
    const givenUp = unknown.filter((work) => work.dueAt === null).length;
    return { count: unknown.length, oldestSince: unknown[0]?.since, givenUp };
  }

  async countOf(what: CountedFact): Promise<number> {
    return this.counts.get(what) ?? 0;
  }

  private unknown(dueBy: number): WorkItem[] {
    return [...this.items.values()]
      .map(({ work }) => work)
      .filter((work) => isUnknown(work, dueBy))
      .sort((a, b) => (isBefore(a, b) ? -1 : 1));
  }

  private due(now: { readonly service: number; readonly real: number }): Entry[] {
    return [...this.items.values()]
      .filter(
        ({ work }) => work.dueAt !== null && work.dueAt <= (work.clock === 'Real' ? now.real : now.service),
      )
      .sort((a, b) => (a.work.dueAt ?? 0) - (b.work.dueAt ?? 0));
  }
}

function isUnknown({ kind, interrupted, clock, dueAt }: WorkItem, dueBy: number): boolean {
  if (kind === 'Answer') return dueAt === null;
  return kind === 'Outcome' && (interrupted === true || clock === 'Service' || (dueAt ?? 0) <= dueBy);
}

type ListPosition = Pick<WorkItem, 'since' | 'subject'>;

function isBefore(a: ListPosition, b: ListPosition): boolean {
  return a.since < b.since || (a.since === b.since && a.subject < b.subject);
}
