import type { ProjectionName, RowSet } from '@tillstream/read-models';
import { errorMessage } from '@tillstream/runtime';
import { ControlDatabase } from '../generations/control.database.js';
import { setAsideIfDamaged } from '../damage/damage.detection.js';
import type { DamageLog } from '../damage/file.damage.js';
import { OpenGenerations } from '../generations/open.generations.js';

export interface WrittenSets {
  /** One line for each projection whose rows could not be written. */
  readonly failures: readonly string[];
  /** The places of the sets that a generation did not take, because it does not have their `after`. */
  readonly incomplete: readonly number[];
}

/** Writes rows into the live generations, and into those that are announced to become live. Blocking. */
export class RowWriter {
  readonly #control: ControlDatabase;
  readonly #open: OpenGenerations;

  constructor(directory: string, log: DamageLog) {
    this.#control = new ControlDatabase(directory, '', log);
    this.#open = new OpenGenerations(this.#control);
  }

  /** Uses one transaction for each file. */
  write(sets: readonly RowSet[]): WrittenSets {
    const failures: string[] = [];
    const incomplete = new Set<RowSet>();
    for (const projection of new Set(sets.map((set) => set.projection))) {
      const ofProjection = sets.filter((set) => set.projection === projection);
      try {
        for (const set of this.#writeTo(projection, ofProjection)) incomplete.add(set);
      } catch (error) {
        failures.push(`${projection}: ${errorMessage(error)}`);
      }
    }
    return { failures, incomplete: [...incomplete].map((set) => sets.indexOf(set)) };
  }

  close(): void {
    this.#open.close();
    this.#control.close();
  }

  /**
   * Reads which generations are writable after the events were appended, and before it writes their rows. A generation that
   * is announced later reads these events itself before it becomes live (docs/adr/0017).
   */
  #writeTo(projection: ProjectionName, sets: readonly RowSet[]): RowSet[] {
    const incomplete: RowSet[] = [];
    for (const generation of this.#open.writable(projection)) {
      try {
        incomplete.push(...this.#open.fileOf(generation).writeSets(sets));
      } catch (error) {
        // A damaged list is rebuilt, and the rebuild reads these events.
        if (!setAsideIfDamaged(this.#control, generation, error)) throw error;
      }
    }
    return incomplete;
  }
}
