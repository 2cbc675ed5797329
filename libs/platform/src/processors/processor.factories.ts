import type { Config } from '../configuration/config.js';
import type { Log } from '../logging/log.js';
import type { OpenedProcessor } from './combined-processors.js';

/** Makes a processor other than a sandbox from the settings. */
export interface ProcessorFactory {
  /** The same as its `Processor.name`. PROCESSOR_ROUTES uses it. */
  readonly name: string;
  /** Throws a `ConfigError` if the settings are incomplete, such as a missing secret. */
  isConfigured(config: Config): boolean;
  /**
   * Resolves also if the processor can't be reached now: then its `trouble` says so. Rejects with a `ConfigError` if the
   * processor refuses a setting.
   */
  open(config: Config, log: Log): Promise<OpenedProcessor>;
}

/** The processors besides the sandboxes. A new one is a line here. */
export const PROCESSOR_FACTORIES: readonly ProcessorFactory[] = [];
