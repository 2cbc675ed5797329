import { eventCodec } from '../../shared/codec.js';
import type { Event } from '../../payment/payment.events.js';

/**
 * Who of the operators looked at whose personal data, and why. One stream a day, so that none grows without end. The
 * events name ids only: what was read is never in them.
 */
export type PersonalDataAuditEvent = Event<'PersonalDataRead', PersonalDataRead>;

export interface PersonalDataRead {
  readonly at: string;
  /** As in the event's metadata, so that the record can stand for itself. */
  readonly operator: string;
  readonly keyId?: string;
  readonly subject: PersonalDataSubject;
  readonly why: string;
}

export interface PersonalDataSubject {
  /** `Merchant`: all persons that a merchant keeps data of. */
  readonly type: 'AccountHolder' | 'Token' | 'Transaction' | 'Merchant';
  readonly id: string;
  readonly merchantId?: string;
}

export const personalDataAuditCodec = eventCodec<PersonalDataAuditEvent>({ types: { PersonalDataRead: [] } });

/** `day` as `2026-11-22`, UTC. */
export const personalDataAuditStream = (day: string): string => `personaldata-${day}`;
