import {
  personalDataAuditCodec,
  personalDataAuditStream,
  type PersonalDataRead,
  type PersonalDataSubject,
} from '@tillstream/domain';
import { transact, type EventStore } from '@tillstream/event-store';
import { iso, type Clock } from '../ports/clock.port.js';
import { fromRecorded, toNewEvents } from '../stream-repository/event-metadata.js';
import type { Actor } from '../requests/request.types.js';
import type { PersonalDataAudit } from './operators.types.js';

const PAGE = 100;
const DAY_LENGTH = '2026-11-22'.length;

/** Who read whose personal data, in a stream for each day. */
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
    await transact(this.store, {
      stream: personalDataAuditStream(at.slice(0, DAY_LENGTH)),
      attempts: Number.POSITIVE_INFINITY,
      // Only the chain of hashes needs to know what was before.
      tailEvents: 1,
      decide: () => ({
        events: toNewEvents(personalDataAuditCodec, [{ type: 'PersonalDataRead', data }], cause, this.clock),
        value: undefined,
      }),
    });
  }

  async personalDataReads(
    day: string,
    { from = 0, limit = PAGE }: { readonly from?: number; readonly limit?: number } = {},
  ): Promise<{ readonly reads: readonly PersonalDataRead[]; readonly end: boolean }> {
    const { events, end } = await this.store.readStream(personalDataAuditStream(day), { from, limit });
    return { reads: events.map((one) => fromRecorded(personalDataAuditCodec, one).data), end };
  }
}
