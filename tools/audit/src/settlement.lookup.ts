import {
  parsePricingRoot,
  settlementIdOf,
  type SettlementEvent,
  type SettlementStarted,
  type Channel,
} from '@tillstream/domain';
import { templateAt, type TemplateInEffect, type TemplateRecord } from '@tillstream/ledger';
import type { PlacedEvent } from './history.reader.js';
import type { WorkingFile } from './working.file.js';

export interface KnownSettlement {
  readonly started: SettlementStarted;
  /** By the templates' own events. Undefined: there are no fees. */
  readonly template: TemplateInEffect | undefined;
  readonly isCreated: boolean;
}

/** `decidedAt`, `place`: of the event that names the template `named`. */
interface TemplateQuestion {
  readonly merchantId: string;
  readonly at: string;
  readonly decidedAt: string;
  readonly place: number;
  readonly named: string | undefined;
}

/** The start of a settlement reads the templates, and is stored a moment later. An approval in between may be unseen. */
const UNSEEN_APPROVAL_MS = 5_000;
const CACHED_MAX = 1_000;

/** The settlements of the history by their ids, the last ones in memory. */
export class SettlementLookup {
  private readonly known = new Map<string, KnownSettlement | undefined>();

  constructor(private readonly file: WorkingFile) {}

  /** The settlement that has an item of a batch. */
  ofItem(batchId: string, channel: Channel): string {
    return settlementIdOf(batchId, channel === 'Ach' || channel === 'Eft' ? 'Bank' : 'Card');
  }

  /** Undefined if the history has none, or only a part of one. */
  find(settlementId: string): KnownSettlement | undefined {
    if (this.known.has(settlementId)) return this.known.get(settlementId);
    if (this.known.size >= CACHED_MAX) this.known.clear();
    const events = this.file.recordsOf<PlacedEvent<SettlementEvent>>('settlement', settlementId);
    const start = events.find(({ data }) => data.type === 'SettlementStarted');
    const found =
      start?.data.type === 'SettlementStarted'
        ? {
            started: start.data.data,
            template: this.templateOf(start.data.data, start.part),
            isCreated: events.some(({ data }) => data.type === 'SettlementCreated'),
          }
        : undefined;
    this.known.set(settlementId, found);
    return found;
  }

  /** The template in effect at a time, as far as an event that names one could know it. */
  templateAt({ merchantId, at, decidedAt, place, named }: TemplateQuestion): TemplateInEffect | undefined {
    const root = parsePricingRoot(merchantId) ?? '';
    const records = this.file.recordsOf<TemplateRecord>('template', root).map(({ data }) => data);
    const inEffect = templateAt(records, at, place);
    if (inEffect?.templateId === named) return inEffect;
    const unseen = records.find(
      (one) =>
        one.type === 'PricingTemplateApproved' && one.place < place && isJustBefore(one.data.at, decidedAt),
    );
    const before = unseen && templateAt(records, at, unseen.place);
    return unseen && before?.templateId === named ? before : inEffect;
  }

  private templateOf(
    { merchantId, cutOffAt, at: decidedAt, pricing }: SettlementStarted,
    place: number,
  ): TemplateInEffect | undefined {
    return this.templateAt({ merchantId, at: cutOffAt, decidedAt, place, named: pricing?.templateId });
  }
}

function isJustBefore(approvedAt: string, startedAt: string): boolean {
  return Date.parse(startedAt) - Date.parse(approvedAt) < UNSEEN_APPROVAL_MS;
}
