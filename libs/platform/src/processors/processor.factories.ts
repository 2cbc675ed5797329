import type { Processor, ProcessorNoticeSource } from '@tillstream/processors';
import type { Config } from '../configuration/config.js';
import type { Log } from '../logging/log.js';

/** A processor of this service: its adapter, its health, and its notices. */
export interface OpenedProcessor {
  readonly processor: Processor;
  /** `noNoticeSource` if the processor sends no notices. */
  readonly notices: ProcessorNoticeSource;
  /** Settings of this instance that do not match the processor. One sentence each. */
  wrongSettings(): Promise<readonly string[]>;
  /** Why no payment can be sent to the processor now; empty if it can. */
  trouble(): Promise<readonly string[]>;
  close(): void;
}

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
