export { toResponseCode } from './iso8583.table.js';
export type * from './daily-file/processor.record.js';
export { sandboxRecords } from './daily-file/sandbox-daily-file.js';
export { type ProcessorMethod } from './intercepted.processor.js';
export * from './processor.port.js';
export * from './processor.inbox.js';
export { NoticePoller, type DeliveredNotices, type NoticePoll } from './notice.poller.js';
export * from './processor-routing.js';
export { SandboxProcessor, type SandboxProcessorOptions } from './sandbox/sandbox.processor.js';
export * from './guarded/circuit.breaker.js';
export * from './guarded/guarded.processor.js';
export { bankNotices, embeddedBankMessages, type BankMessages } from './sandbox/bank.notices.js';
export * from './network/network-sandbox.controls.js';
export { networkBankMessages } from './network/network-bank.messages.js';
export { NetworkSandboxProcessor, type NetworkSandboxOptions } from './network/network-sandbox.processor.js';
export { SandboxClient, type SandboxClientOptions } from './network/sandbox.client.js';
export * from './three-ds/three-ds.port.js';
export {
  NetworkThreeDsServer,
  type NetworkThreeDsServerOptions,
} from './three-ds/network.three-ds.server.js';
export {
  SandboxThreeDsServer,
  type SandboxThreeDsServerOptions,
} from './three-ds/sandbox.three-ds.server.js';
