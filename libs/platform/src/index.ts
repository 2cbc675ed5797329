export { openAdapters, type Adapters, type SandboxControls } from './adapters.js';
export { AnswerSealer } from './answer.sealer.js';
export { beginAnew, lossOf, LOST_WITH } from './data-directory/begin.anew.js';
export { exampleEnvironment, readConfig, settingsHelp, type Config } from './config.js';
export { crashPoints } from './crash-points.js';
export { scrubbed } from './log.fields.js';
export { createLog, noLog, type Log } from './log.js';
export { makePrivateDirectory } from './private.directory.js';
export { replacePrivateFile } from './private.file.js';
export { ConfigError } from './setting.kinds.js';
export { isThere, whatIsAt } from './is-there.js';
export { type OpenedProcessor } from './opened.processors.js';
export { type ProcessorOpening } from './processor.openings.js';
export { ProcessorGuards, type GuardParts, type ProcessorStatus } from './circuit.guards.js';
export { breakerSettings } from './circuit.settings.js';
export { watchDisk, type DiskSpace } from './disk.space.js';
export { aboutThisProcess } from './observability/about.js';
export { Metrics, type AboutThisProcess, type Measured } from './observability/metrics.js';
export { Observability, openObservability } from './observability/observability.js';
export type { ObservedOperation } from './observability/observed.operations.js';
export { rarely, within } from './observability/slow.look.js';
export { noTracing, type RequestSpan, type SpanAttributes, type Tracing } from './observability/tracing.js';
export { watchGauges, type UnknownOutcomesLook, type Watched } from './observability/watched.gauges.js';
export { openSettlementAdapters, type SettlementAdapters } from './settlement.adapters.js';
export { closeServer, listen } from './http.listening.js';
export { beginProgram } from './program.beginning.js';
export { runService, type ListeningSettings, type Service } from './service.run.js';
export { withStartupLock } from './startup.lock.js';
export {
  readSandboxServiceConfig,
  sandboxServiceHelp,
  type SandboxServiceConfig,
} from './sandbox-service.config.js';
export { SandboxRefusal } from '@tillstream/sandbox';
export * from './stores/index.js';
