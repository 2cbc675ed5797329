import { type ProjectionName, tableShape } from '@tillstream/read-models';
import { GenerationFile } from '../tables/generation.file.js';
import type { ControlDatabase } from './control.database.js';
import type { Generation } from './generation.js';

/** The files of one writer, opened when they are first written to and closed when nobody writes to them any more. */
export class OpenGenerations {
  readonly #files = new Map<number, GenerationFile>();
  #version = '';
  #generations: readonly Generation[] = [];

  constructor(private readonly control: ControlDatabase) {}

  /** As they are now. */
  generations(): readonly Generation[] {
    const version = this.control.version();
    if (version === this.#version) return this.#generations;
    this.#generations = this.control.generations();
    // The one from before: a change between the two is noticed the next time.
    this.#version = version;
    const used = new Set(this.#generations.filter(isWritten).map(({ generation }) => generation));
    for (const [generation, file] of this.#files) {
      if (used.has(generation)) continue;
      this.#files.delete(generation);
      file.close();
    }
    return this.#generations;
  }

  live(projection: ProjectionName): Generation | undefined {
    return this.generations().find((one) => one.projection === projection && one.status === 'Live');
  }

  /**
   * Where the rows of this program belong: the live generation, and the next while it is announced. Not where a newer
   * program made other rows or tables: it projects them itself.
   */
  writable(projection: ProjectionName): readonly Generation[] {
    return this.generations().filter(
      (one) => one.projection === projection && isWritten(one) && canWrite(one),
    );
  }

  fileOf(generation: Generation): GenerationFile {
    const known = this.#files.get(generation.generation);
    if (known) return known;
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

export function canWrite({ projection, layout, rowsVersion }: Generation): boolean {
  const shape = tableShape(projection);
  return layout === shape.layout && rowsVersion <= shape.rowsVersion;
}
