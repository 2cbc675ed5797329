export * from './batches/index.js';
export * from './ports/clock-offset.port.js';
export * from './ports/clock.port.js';
export * from './ports/crash-points.port.js';
export { hashOfExternalId } from './account-holders/external-ids.js';
export {
  fromRecorded,
  eventMetadata,
  serviceActor,
  type EventMetadata,
} from './stream-repository/event-metadata.js';
export * from './account-holders/account-holder.types.js';
export * from './authentication/authentication.types.js';
export * from './idempotency/idempotency.port.js';
export * from './idempotency/idempotency.types.js';
export * from './resolver/resolver.types.js';
export * from './ports/log.port.js';
export { MemoryWorkQueue } from './work-queue/memory-work-queue.js';
export { reserveThenAppend } from './idempotency/two-step-reservation.js';
export * from './work-queue/work-queue.port.js';
export * from './create-payments.js';
export { AdminKeyRejected, StreamAdminKeys } from './operators/admin-keys.js';
export * from './operators/operators.types.js';
export { StreamPersonalDataAudit } from './operators/personal-data-audit.js';
export * from './operators/processor-switches.js';
export { ProvisioningRejected } from './operators/merchant.repository.js';
export { StreamProvisioning } from './operators/provisioning.js';
export * from './operators/provisioning.types.js';
export * from './read-model-write-through/read-model-writer.port.js';
export * from './requests/request.types.js';
export * from './stored-cards/stored-card.types.js';
export * from './timings.js';
export * from './payments.types.js';
export { WORK_CATEGORIES } from './work-queue/work-queue.consumer.js';
export { recordRebuild } from './operators/projection-rebuilds.js';
export * from './unknown-outcomes/unknown-outcomes.types.js';
