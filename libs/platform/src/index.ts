export { openAdapters, type Adapters, type SandboxControls } from './adapters.js';
export { ResponseSealer } from './idempotency/response.sealer.js';
export { replaceLostFile, describeLoss, LOSS_BY_FILE } from './data-directory/lost-file.replacement.js';
export { exampleEnvironment, readConfig, settingsHelp, type Config } from './configuration/config.js';
export { crashPoints } from './sandbox/crash-points.js';
export { scrub } from './logging/log.fields.js';
export { createLog, noLog, type Log } from './logging/log.js';
export { makePrivateDirectory } from './files/private-directory.js';
export { replacePrivateFile } from './files/private-file.js';
export { ConfigError } from './configuration/setting.kinds.js';
export { pathExists, statPath } from './files/path.stats.js';
export { type OpenedProcessor } from './processors/combined-processors.js';
export { type ProcessorFactory } from './processors/processor.factories.js';
export {
  ProcessorGuards,
  type ProcessorGuardDependencies,
  type ProcessorStatus,
} from './processors/processor.guards.js';
export { breakerSettings } from './processors/breaker.settings.js';
export { watchDisk, type DiskSpace } from './data-directory/disk-space.js';
export { processInfo } from './observability/process.info.js';
export { Metrics, type ProcessInfo, type Measurement } from './observability/metrics.js';
export { Observability, openObservability } from './observability/observability.js';
export type { ObservedOperation } from './observability/operation.metrics.js';
export { noTracing, type RequestSpan, type SpanAttributes, type Tracing } from './observability/tracing.js';
export {
  registerServiceGauges,
  type UnknownOutcomesQuery,
  type GaugeSources,
} from './observability/service.gauges.js';
export { openSettlementAdapters, type SettlementAdapters } from './settlement.adapters.js';
export { closeServer, listen } from './http/http.server.js';
export { prepareProcess } from './process/process.environment.js';
export { runService, type ListeningSettings, type Service } from './process/service.runner.js';
export { withStartupLock } from './data-directory/startup.lock.js';
export {
  readSandboxServiceConfig,
  sandboxServiceHelp,
  type SandboxServiceConfig,
} from './configuration/sandbox-service.config.js';
export { TerminalControlError } from '@tillstream/sandbox';
export * from './stores/index.js';
