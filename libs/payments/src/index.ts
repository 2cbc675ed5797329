export type * from './account-holders/account-holders.js';
export { hashOfExternalId } from './account-holders/external-ids.js';
export type { Authentication } from './authentication/authentication.js';
export type * from './batches/batch-items.port.js';
export {
  createBatches,
  type Batches,
  type BatchesDependencies,
  type BatchView,
  type CloseRequest,
  type CurrencyNotOffered,
} from './batches/batches.js';
export * from './create-payments.js';
export type { HistoryEntry, HistoryPage } from './history/transaction.history.js';
export { isKnownAuthorization, type FormAuthorization } from './hosted-forms/authorization.texts.js';
export type * from './hosted-forms/hosted-form.types.js';
export type { SessionIds, SessionKeys } from './hosted-forms/session-ids.js';
export type { IdempotencyKeys, IdempotencyStart, IdempotencyTicket } from './idempotency/idempotency-keys.js';
export type * from './idempotency/idempotency.port.js';
export { reserveThenAppend } from './idempotency/two-step-reservation.js';
export { AdminKeyRejected, AdminKeys, type IssuedAdminKey } from './operators/admin-keys.js';
export { ProvisioningRejected } from './operators/merchant.repository.js';
export { PersonalDataAudit } from './operators/personal-data-audit.js';
export * from './operators/processor-switches.js';
export { recordRebuild } from './operators/projection-rebuilds.js';
export * from './operators/provisioning.js';
export * from './ports/clock-offset.port.js';
export * from './ports/clock.port.js';
export { consumerLog } from './ports/consumer.log.js';
export * from './ports/crash-points.port.js';
export type * from './ports/log.port.js';
export {
  noReadModels,
  type ReadModelWriter,
  type WrittenStream,
} from './read-model-write-through/write-through.js';
export type { BringInOptions } from './reconciliation/bring-in.js';
export * from './reconciliation/history-restores.js';
export { UnusableRecords } from './reconciliation/payment.records.js';
export { Reconciliation, type ReconciliationOptions } from './reconciliation/reconciliation.js';
export * from './reconciliation/reconciliation.types.js';
export * from './reconciliation/repeated-removals.js';
export type * from './requests/request.types.js';
export type { Resolver } from './resolver/resolver.js';
export type { BankHolidays } from './settlements/bank-holidays.port.js';
export type * from './settlements/adjustments.js';
export type * from './settlements/chargebacks.js';
export type { FundRequest } from './settlements/settlement.funding.js';
export type * from './stored-cards/stored-card.types.js';
export {
  fromRecorded,
  eventMetadata,
  serviceActor,
  type EventMetadata,
} from './stream-repository/event-metadata.js';
export * from './timings.js';
export * from './unknown-outcomes/unknown-outcomes.types.js';
export * from './merchant-applications/merchant-application.registry.js';
export * from './pricing-templates/pricing-template.registry.js';
export { vaultSecretSealer } from './webhook-endpoints/secret.sealer.js';
export { WebhookEndpointRegistry } from './webhook-endpoints/webhook-endpoint.registry.js';
export * from './webhook-endpoints/webhook-endpoint.types.js';
export type * from './webhook-endpoints/webhook-endpoints.ports.js';
export type { UrlProblem } from './webhook-endpoints/webhook-url.js';
export { MemoryWorkQueue } from './work-queue/memory-work-queue.js';
export { WORK_CATEGORIES, workQueueConsumer } from './work-queue/work-queue.consumer.js';
export type * from './work-queue/work-queue.port.js';
