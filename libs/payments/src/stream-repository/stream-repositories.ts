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
import type { Clock } from '../ports/clock.port.js';
import { StreamRepository, type LoadedStream, type WriteResult } from './stream-repository.js';
import { RecentStreams } from './recent-streams.js';

/* The value of a decision on a payment or token is the id of the operation that it is about. */

export type LoadedPayment = LoadedStream<PaymentState>;
export type PaymentWriteResult = WriteResult<PaymentState, PaymentEvent, PaymentRejection, OperationId>;
export type PaymentRepository = StreamRepository<PaymentState, PaymentEvent, PaymentRejection, OperationId>;

export type LoadedToken = LoadedStream<TokenState>;
export type TokenWriteResult = WriteResult<TokenState, TokenEvent, TokenRejection, OperationId>;
export type TokenRepository = StreamRepository<TokenState, TokenEvent, TokenRejection, OperationId>;

export type LoadedHolder = LoadedStream<HolderState>;
export type HolderStreamWriteResult = WriteResult<HolderState, HolderEvent, HolderRejection, undefined>;
export type HolderRepository = StreamRepository<HolderState, HolderEvent, HolderRejection>;

export type LoadedBatch = LoadedStream<BatchState>;
export type BatchRepository = StreamRepository<BatchState, BatchEvent, BatchRejection>;

/** About 4 MB. */
const RECENT_TOKENS_MAX = 500;

export function createBatchRepository(store: EventStore, clock: Clock): BatchRepository {
  return new StreamRepository(store, clock, { codec: batchCodec, fold: foldBatch });
}

export function createPaymentRepository(store: EventStore, clock: Clock): PaymentRepository {
  return new StreamRepository(store, clock, { codec: paymentCodec, fold: foldPayment });
}

export function createTokenRepository(store: EventStore, clock: Clock): TokenRepository {
  return new StreamRepository(
    store,
    clock,
    { codec: tokenCodec, fold: foldToken },
    new RecentStreams(RECENT_TOKENS_MAX),
  );
}

export function createHolderRepository(store: EventStore, clock: Clock): HolderRepository {
  return new StreamRepository(store, clock, { codec: holderCodec, fold: foldHolder });
}
