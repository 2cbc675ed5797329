import {
  personalDataAuditCodec,
  personalDataAuditStream,
  type PersonalDataRead,
  type PersonalDataSubject,
} from '@tillstream/domain/service';
import { iso } from '../ports/clock.port.js';
import { appendToEnd, fromRecorded } from '../stream-repository/event-metadata.js';
import type { Actor } from '../requests/request.types.js';
import type { Ports } from '../parts.js';

const PAGE = 100;
const DAY_LENGTH = '2026-11-22'.length;

/** Records every read of personal data by an operator before the data is shown. One stream for each day. */
export class PersonalDataAudit {
  constructor(private readonly ports: Pick<Ports, 'store' | 'clock'>) {}

  /** Durable when it resolves: show the data only then. `why`: the operator's reason, without personal data. */
  async recordPersonalDataRead(actor: Actor, subject: PersonalDataSubject, why: string): Promise<void> {
    const at = iso(this.ports.clock.now());
    const { name: operator, keyId } = actor;
    const data: PersonalDataRead = { at, operator, ...(keyId !== undefined && { keyId }), subject, why };
    const cause = { merchantId: subject.merchantId ?? '', actor, reason: why };
    const stream = personalDataAuditStream(at.slice(0, DAY_LENGTH));
    await appendToEnd(
      this.ports,
      { stream, codec: personalDataAuditCodec, cause },
      { type: 'PersonalDataRead', data },
    );
  }

  /** The reads of a day (`2026-11-22`, UTC by the service's clock), oldest first. `from`: from 0, inclusive. `limit`: up to 1000. */
  async personalDataReads(
    day: string,
    { from = 0, limit = PAGE }: { readonly from?: number; readonly limit?: number } = {},
  ): Promise<{ readonly reads: readonly PersonalDataRead[]; readonly end: boolean }> {
    const { events, end } = await this.ports.store.readStream(personalDataAuditStream(day), { from, limit });
    return { reads: events.map((event) => fromRecorded(personalDataAuditCodec, event).data), end };
  }
}
