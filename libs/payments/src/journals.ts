import {
  batchCodec,
  foldBatch,
  foldHolder,
  foldPayment,
  foldToken,
  holderCodec,
  paymentCodec,
  tokenCodec,
  type BatchEvent,
  type BatchRejection,
  type BatchState,
  type HolderEvent,
  type HolderRejection,
  type HolderState,
  type OperationId,
  type PaymentEvent,
  type PaymentState,
  type PaymentRejection,
  type TokenEvent,
  type TokenRejection,
  type TokenState,
} from '@tillstream/domain';
import type { EventStore } from '@tillstream/event-store';
import type { Clock } from './clock.port.js';
import { Journal, type Loaded, type Written } from './journal.js';
import { RecentStreams } from './recent.streams.js';

/* What a decision gives beside its events: the operation it began, or of which it tells. */

export type LoadedPayment = Loaded<PaymentState>;
export type WrittenPayment = Written<PaymentState, PaymentEvent, PaymentRejection, OperationId>;
export type PaymentJournal = Journal<PaymentState, PaymentEvent, PaymentRejection, OperationId>;

export type LoadedToken = Loaded<TokenState>;
export type WrittenToken = Written<TokenState, TokenEvent, TokenRejection, OperationId>;
export type TokenJournal = Journal<TokenState, TokenEvent, TokenRejection, OperationId>;

export type LoadedHolder = Loaded<HolderState>;
export type WrittenHolder = Written<HolderState, HolderEvent, HolderRejection, undefined>;
export type HolderJournal = Journal<HolderState, HolderEvent, HolderRejection>;

export type LoadedBatch = Loaded<BatchState>;
export type BatchJournal = Journal<BatchState, BatchEvent, BatchRejection>;

/** About 4 MB. */
const TOKENS_KEPT = 500;

export function batchJournal(store: EventStore, clock: Clock): BatchJournal {
  return new Journal(store, clock, { codec: batchCodec, fold: foldBatch });
}

export function paymentJournal(store: EventStore, clock: Clock): PaymentJournal {
  return new Journal(store, clock, { codec: paymentCodec, fold: foldPayment });
}

export function tokenJournal(store: EventStore, clock: Clock): TokenJournal {
  return new Journal(store, clock, { codec: tokenCodec, fold: foldToken }, new RecentStreams(TOKENS_KEPT));
}

export function holderJournal(store: EventStore, clock: Clock): HolderJournal {
  return new Journal(store, clock, { codec: holderCodec, fold: foldHolder });
}
