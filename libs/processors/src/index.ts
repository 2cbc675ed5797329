export { responseCodeOf } from './iso8583.table.js';
export * from './processor.port.js';
export * from './processor.inbox.js';
export { PolledNotices, type NoticePoll } from './polled.notices.js';
export * from './processors.port.js';
export { RoutedProcessors, type RouteRule } from './routed.processors.js';
export { SandboxProcessor, type SandboxProcessorOptions } from './sandbox.processor.js';
export {
  CircuitBreaker,
  defaultBreaker,
  type BreakerSettings,
  type BreakerState,
  type Evidence,
  type Pass,
} from './guarded/circuit.breaker.js';
export {
  GuardedProcessor,
  type CallEnd,
  type CallObserver,
  type GuardedProcessorOptions,
  type ProcessorCall,
  type SendingSwitch,
} from './guarded/guarded.processor.js';
export {
  NetworkSandboxControls,
  SandboxUnreachable,
  type SandboxState,
} from './network/network-sandbox.controls.js';
export { NetworkSandboxProcessor, type NetworkSandboxOptions } from './network/network-sandbox.processor.js';
export { SandboxLine, type SandboxLineOptions } from './network/sandbox.line.js';
