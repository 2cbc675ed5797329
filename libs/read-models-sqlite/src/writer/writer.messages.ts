import type { RowsByProjection } from '@tillstream/read-models';
import type { WorkerStart } from '@tillstream/runtime';
import type { DamagedFileMove } from '../damage/damaged-file.js';

export interface WriterData {
  readonly directory: string;
}

export type WriterRequest =
  { readonly kind: 'rows'; readonly rows: RowsByProjection } | { readonly kind: 'close' };

export type WriterReply =
  | { readonly kind: 'set-aside'; readonly move: DamagedFileMove }
  /** Of the last request; one line for each projection whose rows could not be written. */
  | { readonly kind: 'written'; readonly failures: readonly string[] };

export type WriterMessage = WriterReply | WorkerStart<string>;
