import { ControlDatabase } from '../generations/control.database.js';
import { setAsideIfDamaged } from '../damage/damage.detection.js';
import type { OnSetAside } from '../damage/damaged-file.js';
import { OpenGenerations } from '../generations/open.generations.js';
import type { FlatRow, RowsByProjection, ProjectionName } from '@tillstream/read-models';

/** Writes rows where lists are read, and where they will be read next. Blocking. */
export class RowWriter {
  readonly #control: ControlDatabase;
  readonly #open: OpenGenerations;

  constructor(directory: string, tell: OnSetAside) {
    this.#control = new ControlDatabase(directory, '', tell);
    this.#open = new OpenGenerations(this.#control);
  }

  /** One transaction for each file. Gives what could not be written. */
  write(rows: RowsByProjection): string[] {
    const failures: string[] = [];
    for (const [projection, some] of rows) {
      try {
        this.#writeTo(projection, some);
      } catch (error) {
        failures.push(`${projection}: ${error instanceof Error ? error.message : String(error)}`);
      }
    }
    return failures;
  }

  close(): void {
    this.#open.close();
    this.#control.close();
  }

  /**
   * Looks which generations are written to now: after the append of what the rows tell, before they are written. A
   * generation that is announced later reads these events itself before it becomes live (docs/adr/0017).
   */
  #writeTo(projection: ProjectionName, rows: readonly FlatRow[]): void {
    for (const generation of this.#open.writable(projection)) {
      try {
        const file = this.#open.fileOf(generation);
        file.transaction(() => file.write(rows));
      } catch (error) {
        // Nobody reads it any more: whoever makes the list again reads these events.
        if (!setAsideIfDamaged(this.#control, generation, error)) throw error;
      }
    }
  }
}
