import {
  personalDataAuditCodec,
  personalDataAuditStream,
  type PersonalDataRead,
  type PersonalDataSubject,
} from '@tillstream/domain';
import type { EventStore } from '@tillstream/event-store';
import { iso, type Clock } from '../ports/clock.port.js';
import { fromRecorded, toNewEvents } from '../stream-repository/event-metadata.js';
import { appendToEnd } from '../stream-repository/append-to-end.js';
import type { Actor } from '../requests/request.types.js';
import type { PersonalDataAudit } from './operators.types.js';

const PAGE = 100;
const DAY_LENGTH = '2026-11-22'.length;

/** One stream for each day. */
export class StreamPersonalDataAudit implements PersonalDataAudit {
  constructor(
    private readonly store: EventStore,
    private readonly clock: Clock,
  ) {}

  async recordPersonalDataRead(actor: Actor, subject: PersonalDataSubject, why: string): Promise<void> {
    const at = iso(this.clock.now());
    const { name: operator, keyId } = actor;
    const data: PersonalDataRead = { at, operator, ...(keyId !== undefined && { keyId }), subject, why };
    const cause = { merchantId: subject.merchantId ?? '', actor, reason: why };
    const events = [{ type: 'PersonalDataRead', data } as const];
    await appendToEnd(
      this.store,
      personalDataAuditStream(at.slice(0, DAY_LENGTH)),
      toNewEvents(personalDataAuditCodec, events, cause, this.clock),
    );
  }

  async personalDataReads(
    day: string,
    { from = 0, limit = PAGE }: { readonly from?: number; readonly limit?: number } = {},
  ): Promise<{ readonly reads: readonly PersonalDataRead[]; readonly end: boolean }> {
    const { events, end } = await this.store.readStream(personalDataAuditStream(day), { from, limit });
    return { reads: events.map((event) => fromRecorded(personalDataAuditCodec, event).data), end };
  }
}
