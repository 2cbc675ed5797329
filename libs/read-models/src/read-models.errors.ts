import type { ProjectionName } from './read-models.types.js';

/** The list can't answer now. `reason` is for an operator. */
export class ReadModelUnavailable extends Error {
  override readonly name = 'ReadModelUnavailable';
  constructor(
    readonly projection: ProjectionName,
    readonly reason: string,
  ) {
    super(`the list of ${projection} can't be answered: ${reason}`);
  }
}

/** Another rebuild of the projection is running or has replaced this one, or the projector stops. */
export class RebuildRefused extends Error {
  override readonly name = 'RebuildRefused';
  constructor(
    readonly projection: ProjectionName,
    readonly reason: string,
  ) {
    super(`${projection} can't be rebuilt: ${reason}`);
  }
}

/** What is logged of a caught error. */
export const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
