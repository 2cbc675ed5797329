export { toResponseCode } from './iso8583.table.js';
export * from './processor.port.js';
export * from './processor.inbox.js';
export { NoticePoller, type NoticePoll } from './notice.poller.js';
export * from './processor-routing.port.js';
export { RoutedProcessors, type RouteRule } from './routed.processors.js';
export { SandboxProcessor, type SandboxProcessorOptions } from './sandbox/sandbox.processor.js';
export {
  CircuitBreaker,
  defaultBreakerSettings,
  type BreakerSettings,
  type BreakerState,
  type CallEvidence,
  type BreakerPass,
} from './guarded/circuit.breaker.js';
export {
  GuardedProcessor,
  type CallEndKind,
  type CallObserver,
  type GuardedProcessorOptions,
  type ProcessorMethod,
  type SendSwitch,
} from './guarded/guarded.processor.js';
export {
  NetworkSandboxControls,
  SandboxUnreachable,
  type SandboxState,
} from './network/network-sandbox.controls.js';
export { NetworkSandboxProcessor, type NetworkSandboxOptions } from './network/network-sandbox.processor.js';
export { SandboxClient, type SandboxClientOptions } from './network/sandbox.client.js';
