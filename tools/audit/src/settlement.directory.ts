import {
  parsePricingRoot,
  settlementIdOf,
  type SettlementEvent,
  type SettlementStarted,
  type Channel,
} from '@tillstream/domain';
import { templateAt, type TemplateInEffect, type TemplateRecord } from '@tillstream/ledger';
import type { PlacedEvent } from './history.intake.js';
import type { WorkingFile } from './working.file.js';

export interface KnownSettlement {
  readonly started: SettlementStarted;
  /** By the templates' own events. Undefined: there are no fees. */
  readonly template: TemplateInEffect | undefined;
  readonly isCreated: boolean;
}

/** The start of a settlement reads the templates, and is stored a moment later. An approval in between may be unseen. */
const UNSEEN_APPROVAL_MS = 5_000;
const CACHED_MAX = 1_000;

/** The settlements of the history by their ids, the last ones in memory. */
export class SettlementDirectory {
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

  private templateOf(
    { merchantId, cutOffAt, at, pricing }: SettlementStarted,
    place: number,
  ): TemplateInEffect | undefined {
    const root = parsePricingRoot(merchantId) ?? '';
    const records = this.file.recordsOf<TemplateRecord>('template', root).map(({ data }) => data);
    const inEffect = templateAt(records, cutOffAt, place);
    if (inEffect?.templateId === pricing?.templateId) return inEffect;
    const unseen = records.find(
      (one) => one.type === 'PricingTemplateApproved' && one.place < place && isJustBefore(one.data.at, at),
    );
    const before = unseen && templateAt(records, cutOffAt, unseen.place);
    return unseen && before?.templateId === pricing?.templateId ? before : inEffect;
  }
}

function isJustBefore(approvedAt: string, startedAt: string): boolean {
  return Date.parse(startedAt) - Date.parse(approvedAt) < UNSEEN_APPROVAL_MS;
}
