import { canWrite, type ProjectionName, tableShape } from '@tillstream/read-models';
import { GenerationFile } from '../tables/generation.file.js';
import type { ControlDatabase } from './control.database.js';
import type { Generation } from './generation.js';

/** The open files of one writer. A file is opened at the first write, and closed when its generation is not written any more. */
export class OpenGenerations {
  readonly #files = new Map<number, GenerationFile>();
  #generations: readonly Generation[] = [];

  constructor(private readonly control: ControlDatabase) {}

  generations(): readonly Generation[] {
    const generations = this.control.generations();
    if (generations === this.#generations) return generations;
    this.#generations = generations;
    const written = new Set(generations.filter(isWritten).map(({ generation }) => generation));
    for (const [generation, file] of this.#files) {
      if (written.has(generation)) continue;
      this.#files.delete(generation);
      file.close();
    }
    return generations;
  }

  /** The live generation, and the next one while it is announced. Those of a newer program are left to that program. */
  writable(projection: ProjectionName): readonly Generation[] {
    return this.generations().filter(
      (known) => known.projection === projection && isWritten(known) && canWrite(known),
    );
  }

  fileOf(generation: Generation): GenerationFile {
    const open = this.#files.get(generation.generation);
    if (open) return open;
    const file = GenerationFile.open(this.control.fileOf(generation), tableShape(generation.projection));
    this.#files.set(generation.generation, file);
    return file;
  }

  close(): void {
    for (const file of this.#files.values()) file.close();
    this.#files.clear();
  }
}

function isWritten({ status }: Generation): boolean {
  return status === 'Live' || status === 'Next';
}
