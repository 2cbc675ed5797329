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
  type NoticeState,
  type NoticeEvent,
  noticeCodec,
  foldNotice,
} from '@tillstream/domain';
import {
  StreamRepository,
  type LoadedStream,
  type StoredStream,
  type WriteResult,
} from './stream-repository.js';
import { RecentStreams } from './recent-streams.js';
import type { Ports } from '../parts.js';

/* The value of a decision on a payment or token is the id of the operation that it is about. */

export type LoadedPayment = LoadedStream<PaymentState>;
export type PaymentWriteResult = WriteResult<PaymentState, PaymentEvent, PaymentRejection, OperationId>;
export type PaymentRepository = StreamRepository<PaymentState, PaymentEvent, PaymentRejection, OperationId>;

export type LoadedToken = LoadedStream<TokenState>;
export type StoredToken = StoredStream<TokenState>;
export type TokenRepository = StreamRepository<TokenState, TokenEvent, TokenRejection, OperationId>;

export type LoadedHolder = LoadedStream<HolderState>;
export type HolderStreamWriteResult = WriteResult<HolderState, HolderEvent, HolderRejection, undefined>;
export type HolderRepository = StreamRepository<HolderState, HolderEvent, HolderRejection>;

export type LoadedBatch = LoadedStream<BatchState>;
export type BatchRepository = StreamRepository<BatchState, BatchEvent, BatchRejection>;

export type NoticeRepository = StreamRepository<NoticeState, NoticeEvent, never>;

/** About 4 MB. */
const RECENT_TOKENS_MAX = 500;

type StorePorts = Pick<Ports, 'store' | 'clock'>;

export function createBatchRepository(ports: StorePorts): BatchRepository {
  return new StreamRepository(ports, { codec: batchCodec, fold: foldBatch });
}

export function createPaymentRepository(ports: StorePorts): PaymentRepository {
  return new StreamRepository(ports, { codec: paymentCodec, fold: foldPayment });
}

export function createTokenRepository(ports: StorePorts): TokenRepository {
  const recent = new RecentStreams<TokenState>(RECENT_TOKENS_MAX);
  return new StreamRepository(ports, { codec: tokenCodec, fold: foldToken }, recent);
}

export function createHolderRepository(ports: StorePorts): HolderRepository {
  return new StreamRepository(ports, { codec: holderCodec, fold: foldHolder });
}

export function createNoticeRepository(ports: StorePorts): NoticeRepository {
  return new StreamRepository(ports, { codec: noticeCodec, fold: foldNotice });
}
