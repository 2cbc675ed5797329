import type { TableShape } from '@tillstream/read-models';

/** The shape that a generation was made for. Another version or layout needs another generation. */
export type GenerationShape = Pick<TableShape, 'projection' | 'rowsVersion' | 'layout'>;

/**
 * `Building`: only its builder uses it. `Next`: announced, all writers write to it too. `Live`: lists are answered from it.
 * `Retired`: it was live, and its tables are removed soon.
 */
export type GenerationStatus = 'Building' | 'Next' | 'Live' | 'Retired';

/** `projection`: the name of a list or of an ordered projection. */
export interface Generation extends GenerationShape {
  /** Its number, unique in the database and never used again. */
  readonly generation: number;
  /** The name of the event store that it is made from. */
  readonly source: string;
  readonly status: GenerationStatus;
  /** The holder of the lease under which it is built. */
  readonly builder: string;
  /** Ms since its status last changed, by the database's clock, at the time it was read. */
  readonly unchangedMs: number;
  /** Why no events are projected into it; undefined if they are. */
  readonly halted: string | undefined;
}

/** What names a generation's tables. */
export type NumberedGeneration = Pick<Generation, 'projection' | 'generation'>;

/** The schema with the tables of a generation. */
export function schemaOf({ projection, generation }: NumberedGeneration): string {
  return `list_${projection}_${generation}`;
}
