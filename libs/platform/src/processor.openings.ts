import type { Config } from './config.js';
import type { Log } from './log.js';
import type { OpenedProcessor } from './opened.processors.js';

/** How a processor that is no sandbox comes out of the settings. */
export interface ProcessorOpening {
  /** Written into every attempt, and what PROCESSOR_ROUTES leads to. As its `Processor.name`; it never changes. */
  readonly name: string;
  /** Whether the settings have it. Throws a `ConfigError` where they have half of it: a secret is missing. */
  isConfigured(config: Config): boolean;
  /**
   * A processor that can't be reached now is no reason to reject: its `trouble` says so. Rejects with a `ConfigError`
   * where a setting is wrong and what answers says so.
   */
  open(config: Config, log: Log): Promise<OpenedProcessor>;
}

/** The processors beside the sandboxes; a new one is a line here. */
export const PROCESSOR_OPENINGS: readonly ProcessorOpening[] = [];
