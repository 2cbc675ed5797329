import { openSandbox } from '@tillstream/sandbox';
import type { Processor } from '../processor.port.js';
import { SandboxProcessor } from '../sandbox/sandbox.processor.js';

/** A simulated processor with its own ledger in `file`. */
export function openSimulatedProcessor(
  name: string,
  file: string,
): { readonly processor: Processor; close(): void } {
  const sandbox = openSandbox({ file, processorDeadlineMs: 300 });
  return { processor: new SandboxProcessor({ sandbox, name }), close: () => sandbox.close() };
}
