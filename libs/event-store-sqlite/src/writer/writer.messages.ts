import type { EventStoreErrorCode, ExpectedRevision, SerialisedEvent } from '@tillstream/event-store';
import type { SqlValue, WriteUnitResult } from './write-unit.js';

/** Messages between the main thread and the writer's thread. */

export interface WriterOptions {
  readonly file: string;
  readonly busyTimeoutMs: number;
}

export type SerialisedStep =
  | {
      readonly kind: 'append';
      readonly stream: string;
      readonly expected: ExpectedRevision;
      readonly events: readonly SerialisedEvent[];
    }
  | {
      readonly kind: 'run';
      readonly sql: string;
      readonly params: readonly SqlValue[];
      readonly mustChange: boolean;
    };

export type SerialisedUnit = readonly SerialisedStep[];

export interface CompanionMigration {
  readonly name: string;
  readonly steps: readonly string[];
}

export interface WriterFailure {
  readonly kind: 'Failed';
  readonly code: EventStoreErrorCode;
  readonly message: string;
}

export type WriterResult = WriteUnitResult | WriterFailure;

export type WriterRequest =
  | { readonly kind: 'group'; readonly units: readonly SerialisedUnit[] }
  | { readonly kind: 'migrate'; readonly migration: CompanionMigration }
  | { readonly kind: 'close' };

export type WriterReply =
  /** One result per unit, in the order of the units. */
  | { readonly kind: 'group'; readonly results: readonly WriterResult[]; readonly commitMs: number }
  | { readonly kind: 'migrate'; readonly failure?: WriterFailure };
