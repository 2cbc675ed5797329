import { eventCodec, type Event } from '../../shared/aggregate.js';

/** `day` as `2026-11-22`, UTC. One stream a day, so that no stream grows without limit. */
export const personalDataAuditStream = (day: string): string => `personaldata-${day}`;

/**
 * Storage: this shape never changes. An operator read personal data for a reason. The event has ids only, never the
 * data itself.
 */
export type PersonalDataAuditEvent = Event<'PersonalDataRead', PersonalDataRead>;

export interface PersonalDataRead {
  readonly at: string;
  /** The same as in the event's metadata, so that the record is complete without it. */
  readonly operator: string;
  readonly keyId?: string;
  readonly subject: PersonalDataSubject;
  readonly why: string;
}

export interface PersonalDataSubject {
  /** `Merchant`: all account holders of a merchant. */
  readonly type: 'AccountHolder' | 'Token' | 'Transaction' | 'Merchant';
  readonly id: string;
  readonly merchantId?: string;
}

export const personalDataAuditCodec = eventCodec<PersonalDataAuditEvent>({ types: { PersonalDataRead: [] } });
