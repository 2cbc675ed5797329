import { PostgresError } from '@tillstream/postgres-driver';
import {
  canWrite,
  tableShape,
  type LiveList,
  type ProjectedList,
  type ProjectionName,
} from '@tillstream/read-models';
import type { Generation } from '../control/generation.js';
import type { ListControl } from '../control/list.control.js';
import type { OpenGenerations } from '../control/open.generations.js';
import { emptyList } from './rebuild.js';

/** The generations of one list for its projector. */
export class PostgresList implements ProjectedList {
  constructor(
    private readonly name: ProjectionName,
    private readonly control: ListControl,
    private readonly open: OpenGenerations,
  ) {}

  async withLive<T>(otherwise: T, work: (live: LiveList) => Promise<T>): Promise<T> {
    const live = await this.#live();
    if (!live) return otherwise;
    return work({
      table: this.open.rowsOf(live),
      halted: live.halted,
      halt: (reason) => this.control.halt(live.generation, reason),
    });
  }

  async startAnew(): Promise<boolean> {
    const live = await this.#live();
    if (!live) return false;
    const shape = tableShape(this.name);
    await this.control.replaceWithEmpty(live, shape, emptyList(shape));
    return true;
  }

  isTemporary(error: unknown): boolean {
    return error instanceof PostgresError;
  }

  async #live(): Promise<Generation | undefined> {
    const { control } = this;
    const live = await control.live(this.name);
    return live && canWrite(live) && live.source === control.source ? live : undefined;
  }
}
