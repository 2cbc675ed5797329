export * from './processor.port.js';
export { SandboxProcessor, type SandboxProcessorOptions } from './sandbox.processor.js';
