import type { Config } from '../configuration/config.js';
import type { Log } from '../logging/log.js';
import type { OpenedProcessor } from './combined-processors.js';

/** How a processor that is no sandbox comes out of the settings. */
export interface ProcessorFactory {
  /** Written into every attempt, and what PROCESSOR_ROUTES leads to. As its `Processor.name`; it never changes. */
  readonly name: string;
  /** Whether the settings have it. Throws a `ConfigError` where they have half of it: a secret is missing. */
  isConfigured(config: Config): boolean;
  /**
   * A processor that can't be reached now is no reason to reject: its `unavailableReason` says so. Rejects with a `ConfigError`
   * where a setting is wrong and what answers says so.
   */
  open(config: Config, log: Log): Promise<OpenedProcessor>;
}

/** The processors beside the sandboxes; a new one is a line here. */
export const PROCESSOR_FACTORIES: readonly ProcessorFactory[] = [];
