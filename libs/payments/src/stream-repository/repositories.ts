import {
  batchCodec,
  foldBatch,
  foldHolder,
  foldMerchant,
  foldPayment,
  foldToken,
  holderCodec,
  merchantCodec,
  paymentCodec,
  tokenCodec,
  type BatchEvent,
  type BatchRejection,
  type BatchState,
  type HolderEvent,
  type HolderRejection,
  type HolderState,
  type MerchantEvent,
  type MerchantRejection,
  type MerchantState,
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
  foldSettlement,
  foldSettlementPage,
  settlementCodec,
  settlementPageCodec,
  type SettlementEvent,
  type SettlementPageEvent,
  type SettlementPageState,
  type SettlementRejection,
  type SettlementState,
  foldNotice,
} from '@tillstream/domain';
import { RecentStreams, type RecentStreamsLimits } from './recent-streams.js';
import {
  StreamRepository,
  type LoadedStream,
  type StoredStream,
  type WriteResult,
} from './stream-repository.js';
import type { Ports } from '../parts.js';

export * from './stream-repository.js';

/* A repository for each category of streams. The value of a decision on a payment or token is the id of the operation that it is about. */

export type LoadedPayment = LoadedStream<PaymentState>;
export type PaymentWriteResult = WriteResult<PaymentState, PaymentEvent, PaymentRejection, OperationId>;
export type PaymentRepository = StreamRepository<PaymentState, PaymentEvent, PaymentRejection, OperationId>;

export type LoadedToken = LoadedStream<TokenState>;
export type StoredToken = StoredStream<TokenState>;
export type TokenRepository = StreamRepository<TokenState, TokenEvent, TokenRejection, OperationId>;

export type LoadedHolder = LoadedStream<HolderState>;
export type HolderStreamWriteResult = WriteResult<HolderState, HolderEvent, HolderRejection, undefined>;
export type HolderRepository = StreamRepository<HolderState, HolderEvent, HolderRejection>;

export type MerchantStreams = StreamRepository<MerchantState, MerchantEvent, MerchantRejection>;

export type LoadedBatch = LoadedStream<BatchState>;
export type BatchRepository = StreamRepository<BatchState, BatchEvent, BatchRejection>;

export type LoadedSettlement = LoadedStream<SettlementState>;
export type SettlementRepository = StreamRepository<SettlementState, SettlementEvent, SettlementRejection>;
export type SettlementPageRepository = StreamRepository<SettlementPageState, SettlementPageEvent, never>;

export type NoticeRepository = StreamRepository<NoticeState, NoticeEvent, never>;

/** About 4 MB: a token has few events, and some tokens are used all the time. */
const RECENT_TOKENS: RecentStreamsLimits = { eventsMax: 4_000 };
/** About 20 MB. A payment with hundreds of operations would else be read and folded again for each of them. */
const RECENT_PAYMENTS: RecentStreamsLimits = { eventsMax: 10_000, historyMin: 50 };

/** About 5 MB. An open batch may have many adjustments. */
const RECENT_BATCHES: RecentStreamsLimits = { eventsMax: 5_000, historyMin: 20 };
/** About 10 MB. A holder with many tokens has an event for each. */
const RECENT_HOLDERS: RecentStreamsLimits = { eventsMax: 10_000, historyMin: 20 };
/** About 40 MB. The merchant of each request is read every 2 s, and may have thousands of terminals. */
const RECENT_MERCHANTS: RecentStreamsLimits = { eventsMax: 60_000, historyMin: 50 };

type StorePorts = Pick<Ports, 'store' | 'clock'>;

export function createBatchRepository(ports: StorePorts): BatchRepository {
  const recent = new RecentStreams<BatchState>(RECENT_BATCHES);
  return new StreamRepository(ports, { codec: batchCodec, fold: foldBatch }, recent);
}

export function createPaymentRepository(ports: StorePorts): PaymentRepository {
  const recent = new RecentStreams<PaymentState>(RECENT_PAYMENTS);
  return new StreamRepository(ports, { codec: paymentCodec, fold: foldPayment }, recent);
}

export function createTokenRepository(ports: StorePorts): TokenRepository {
  const recent = new RecentStreams<TokenState>(RECENT_TOKENS);
  return new StreamRepository(ports, { codec: tokenCodec, fold: foldToken }, recent);
}

export function createHolderRepository(ports: StorePorts): HolderRepository {
  const recent = new RecentStreams<HolderState>(RECENT_HOLDERS);
  return new StreamRepository(ports, { codec: holderCodec, fold: foldHolder }, recent);
}

export function createMerchantStreams(ports: StorePorts): MerchantStreams {
  const recent = new RecentStreams<MerchantState>(RECENT_MERCHANTS);
  return new StreamRepository(ports, { codec: merchantCodec, fold: foldMerchant }, recent);
}

export function createSettlementRepository(ports: StorePorts): SettlementRepository {
  return new StreamRepository(ports, { codec: settlementCodec, fold: foldSettlement });
}

export function createSettlementPageRepository(ports: StorePorts): SettlementPageRepository {
  return new StreamRepository(ports, { codec: settlementPageCodec, fold: foldSettlementPage });
}

export function createNoticeRepository(ports: StorePorts): NoticeRepository {
  return new StreamRepository(ports, { codec: noticeCodec, fold: foldNotice });
}
