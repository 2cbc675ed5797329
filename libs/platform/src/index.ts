export {
  openAdapters,
  openDispatcherAdapters,
  openSettlementAdapters,
  type Adapters,
  type DispatcherAdapters,
  type SandboxControls,
  type SettlementAdapters,
} from './adapters.js';
export { BackupError, readManifest, type BackupManifest } from './backup/backup.manifest.js';
export type { CopyProgress } from './backup/backup.progress.js';
export { backUp, neededKeys, type BackupTools } from './backup/backup.js';
export { restoreBackup } from './backup/restore.js';
export { loadResponseKey, ResponseSealer } from './idempotency/response.sealer.js';
export { replaceLostFile, describeLoss, LOSS_BY_FILE } from './data-directory/lost-file.replacement.js';
export {
  exampleEnvironment,
  readConfig,
  readSandboxServiceConfig,
  sandboxServiceHelp,
  settingsHelp,
  type Config,
  type SandboxServiceConfig,
} from './configuration/config.js';
export { scrub } from './logging/log.fields.js';
export { createLog, noLog, type Log } from './logging/log.js';
export { makePrivateDirectory, replacePrivateFile } from './files/private-files.js';
export { ConfigError, httpUrl } from './configuration/setting.kinds.js';
export { pathExists, statPath } from './files/path.stats.js';
export { sandboxBooks, sandboxDailyLines, type ProcessorBooks } from './sandbox/sandbox.books.js';
export type { ProcessorFactory } from './processors/processor.factories.js';
export type { ProcessorGuards, ProcessorStatus } from './processors/processor.guards.js';
export { watchDisk } from './data-directory/disk-space.js';
export { BATCH_ALERTS, Metrics } from './observability/metrics.js';
export { MetricsRegistry } from './observability/metrics.registry.js';
export { Observability, processInfo } from './observability/observability.js';
export type { ObservedOperation } from './observability/operation.result.js';
export type { SpanAttributes } from './observability/tracing.js';
export { registerRebuildGauges, registerServiceGauges } from './observability/service.gauges.js';
export { repeatedName, type RepeatedName } from './http/repeated.names.js';
export { endWithParent } from './process/companion.process.js';
export { prepareProcess, runService } from './process/service.runner.js';
export { withStartupLease } from './data-directory/startup.lease.js';
export { withStartupLock } from './data-directory/startup.lock.js';
export { bankHolidays } from '@tillstream/bank-holidays';
export { TerminalControlError, type Challenge } from '@tillstream/sandbox';
export { openEventsToRead } from './stores/events.reader.js';
export { readModelWriteThrough } from './stores/read-models.opener.js';
export { retryWhileUnavailable } from './stores/startup.retry.js';
export {
  isServerAddress,
  displayAddress,
  eventStoreAddress,
  openEventStoreAt,
  resolveEventsFile,
  STORE_ADDRESSES,
} from './stores/store.address.js';
export { StoreNotFound } from './stores/store-opening.context.js';
export { withStores, type Stores, type VaultPlace } from './stores/stores.js';
export { openVault, vaultLocation, type VaultLocation } from './stores/vault.opener.js';
export { deliveryAddresses } from './webhooks/delivery.addresses.js';
export { deliverySealer, type DeliverySealer } from './webhooks/delivery.seals.js';
export { openEndpointDeliveries } from './webhooks/endpoint-deliveries.js';
export { createWebhookEndpoints } from './webhooks/webhook-endpoints.js';
