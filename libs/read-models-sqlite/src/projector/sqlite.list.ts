import {
  canWrite,
  tableShape,
  type LiveList,
  type ProjectedList,
  type ProjectionName,
} from '@tillstream/read-models';
import { setAsideIfDamaged } from '../damage/damage.detection.js';
import type { ControlDatabase } from '../generations/control.database.js';
import type { Generation } from '../generations/generation.js';
import type { OpenGenerations } from '../generations/open.generations.js';
import { GenerationFile } from '../tables/generation.file.js';

/** The generations of one list for its projector. */
export class SqliteList implements ProjectedList {
  constructor(
    private readonly name: ProjectionName,
    private readonly control: ControlDatabase,
    private readonly open: OpenGenerations,
  ) {}

  /** If `work` finds the file damaged, sets it aside, and the list is rebuilt. */
  async withLive<T>(otherwise: T, work: (live: LiveList) => Promise<T>): Promise<T> {
    const live = this.#live();
    if (!live) return otherwise;
    try {
      return await work({
        table: this.open.fileOf(live),
        halted: live.halted,
        halt: (reason) => this.control.halt(live.generation, reason),
      });
    } catch (error) {
      if (setAsideIfDamaged(this.control, live, error)) return otherwise;
      throw error;
    }
  }

  async startAnew(): Promise<boolean> {
    const live = this.#live();
    if (!live) return false;
    const shape = tableShape(this.name);
    this.control.replaceWithEmpty(live, shape, (file) => GenerationFile.create(file, shape));
    return true;
  }

  isTemporary(error: unknown): boolean {
    const { code } = error as { readonly code?: unknown };
    return typeof code === 'string' && code.startsWith('SQLITE_');
  }

  #live(): Generation | undefined {
    const { control } = this;
    const live = control.live(this.name);
    return live && canWrite(live) && live.source === control.source ? live : undefined;
  }
}
