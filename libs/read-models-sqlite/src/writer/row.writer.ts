import type { TableRow, RowsByProjection, ProjectionName } from '@tillstream/read-models';
import { errorMessage } from '@tillstream/runtime';
import { ControlDatabase } from '../generations/control.database.js';
import { setAsideIfDamaged } from '../damage/damage.detection.js';
import type { DamageLog } from '../damage/file.damage.js';
import { OpenGenerations } from '../generations/open.generations.js';

/** Writes rows into the live generations, and into those that are announced to become live. Blocking. */
export class RowWriter {
  readonly #control: ControlDatabase;
  readonly #open: OpenGenerations;

  constructor(directory: string, log: DamageLog) {
    this.#control = new ControlDatabase(directory, '', log);
    this.#open = new OpenGenerations(this.#control);
  }

  /** Uses one transaction for each file. @returns one line for each projection whose rows could not be written */
  write(rowsByProjection: RowsByProjection): string[] {
    const failures: string[] = [];
    for (const [projection, rows] of rowsByProjection) {
      try {
        this.#writeTo(projection, rows);
      } catch (error) {
        failures.push(`${projection}: ${errorMessage(error)}`);
      }
    }
    return failures;
  }

  close(): void {
    this.#open.close();
    this.#control.close();
  }

  /**
   * Reads which generations are writable after the events were appended, and before it writes their rows. A generation that
   * is announced later reads these events itself before it becomes live (docs/adr/0017).
   */
  #writeTo(projection: ProjectionName, rows: readonly TableRow[]): void {
    for (const generation of this.#open.writable(projection)) {
      try {
        this.#open.fileOf(generation).write(rows);
      } catch (error) {
        // A damaged list is rebuilt, and the rebuild reads these events.
        if (!setAsideIfDamaged(this.#control, generation, error)) throw error;
      }
    }
  }
}
