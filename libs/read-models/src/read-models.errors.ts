import type { ProjectionName } from './read-models.types.js';

/** A list that can't be answered now; `reason` is for an operator. */
export class ReadModelUnavailable extends Error {
  override readonly name = 'ReadModelUnavailable';
  constructor(
    readonly projection: ProjectionName,
    readonly reason: string,
  ) {
    super(`the list of ${projection} can't be answered: ${reason}`);
  }
}

/** Another one is at it, or took this one's place. */
export class RebuildRefused extends Error {
  override readonly name = 'RebuildRefused';
  constructor(
    readonly projection: ProjectionName,
    readonly reason: string,
  ) {
    super(`${projection} can't be rebuilt: ${reason}`);
  }
}
