import type { EventStoreErrorCode, ExpectedRevision, SerialisedEvent } from '@tillstream/event-store';
import type { FlatList } from './group.wire.js';
import type { SqlValue, WriteUnitResult } from './write-unit.js';

/** What goes to the writer's thread and back. Everything is text or numbers: cheap to copy between threads. */

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
  /** Units, flattened. */
  | { readonly kind: 'group'; readonly units: FlatList }
  | { readonly kind: 'migrate'; readonly migration: CompanionMigration }
  | { readonly kind: 'close' };

export type WriterReply =
  | { readonly kind: 'ready' }
  | { readonly kind: 'unready'; readonly failure: WriterFailure }
  /** Outcomes, flattened. */
  | { readonly kind: 'group'; readonly outcomes: FlatList; readonly commitMs: number }
  | { readonly kind: 'migrate'; readonly failure?: WriterFailure };
