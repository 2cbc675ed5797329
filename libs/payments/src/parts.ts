import type { TokenRemoval } from './stored-cards/token-removal.js';
import type { ChallengeCvvs } from './three-ds/challenge.cvvs.js';
import type { TokenDetailsReader } from './stored-cards/token-details.js';
import type { RefundLimits } from './refund-limits/refund-limits.js';
import type { References } from './references/references.js';
import type { ReadModelWriter } from './read-model-write-through/write-through.js';
import type { PaymentsLog } from './ports/log.port.js';
import type { CrashPoints } from './ports/crash-points.port.js';
import type { Clock } from './ports/clock.port.js';
import type { IdempotencyStore } from './idempotency/idempotency.port.js';
import type { Authentication } from './authentication/authentication.js';
import type { PaymentSender } from './attempts/payment.attempts.js';
import type { OutcomeRetries } from './attempts/outcome-retries.js';
import type { CardVerificationSender } from './attempts/card-verification.attempts.js';
import type { SessionIds } from './hosted-forms/session-ids.js';
import type { HolderRecords } from './account-holders/holder-records.js';
import type { HolderErasure } from './account-holders/holder-erasure.js';
import type { ExternalIds } from './account-holders/external-ids.js';
import type { Vault } from '@tillstream/vault';
import type { Processors, ThreeDsServer } from '@tillstream/processors';
import type { EventStore } from '@tillstream/event-store';
import type { Leases } from '@tillstream/event-consumers';
import type { Cause } from './stream-repository/event-metadata.js';
import type { WorkQueue } from './work-queue/work-queue.port.js';
import type { Timings } from './timings.js';
import type {
  PaymentRepository,
  TokenRepository,
  HolderRepository,
  MerchantStreams,
  NoticeRepository,
} from './stream-repository/repositories.js';

/** The ports and settings of the use cases. */
export interface Ports {
  readonly store: EventStore;
  readonly processors: Processors;
  readonly threeDsServer: ThreeDsServer;
  readonly vault: Vault;
  readonly clock: Clock;
  readonly idempotency: IdempotencyStore;
  readonly workQueue: WorkQueue;
  /** Decides which process runs the resolver. */
  readonly leases: Leases;
  readonly timings: Timings;
  readonly crashPoints: CrashPoints;
  readonly log: PaymentsLog;
  readonly readModels: ReadModelWriter;
  readonly sessionIds: SessionIds;
  /** Called when an operation of a merchant begins to wait for a processor; returns the end of the wait. Left out: the waits are not reported. */
  readonly waitForProcessor?: (merchantId: string) => () => void;
}

/** The ports and the objects that `createPayments` makes of them. A use case takes what it needs. */
export interface Parts extends Ports {
  readonly payments: PaymentRepository;
  readonly tokens: TokenRepository;
  readonly holders: HolderRepository;
  readonly merchants: MerchantStreams;
  readonly notices: NoticeRepository;
  readonly authentication: Authentication;
  readonly references: References;
  readonly refundLimits: RefundLimits;
  readonly outcomes: OutcomeRetries;
  readonly challengeCvvs: ChallengeCvvs;
  readonly paymentSender: PaymentSender;
  readonly verificationSender: CardVerificationSender;
  readonly tokenDetails: TokenDetailsReader;
  readonly removal: TokenRemoval;
  readonly externalIds: ExternalIds;
  readonly holderRecords: HolderRecords;
  readonly erasure: HolderErasure;
  /** The operator who runs a work item by hand. Absent if the resolver runs it because it is due. */
  readonly onBehalfOf?: Pick<Cause, 'actor' | 'traceId'>;
}
