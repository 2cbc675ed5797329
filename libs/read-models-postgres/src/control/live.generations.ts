import {
  PostgresError,
  PostgresListener,
  type Postgres,
  type PostgresSession,
} from '@tillstream/postgres-driver';
import {
  assertReadable,
  ReadModelUnavailable,
  type LiveGeneration,
  type LiveGenerations,
  type ProjectionName,
} from '@tillstream/read-models';
import { tablesOf } from '../tables/generation.tables.js';
import type { Generation } from './generation.js';
import { progressOf } from './generation.progress.js';
import { CHANGES_CHANNEL, liveOf, readGenerations } from './list.control.js';
import { STALE_READS_MS_MAX } from './open.generations.js';

const BEAT_INTERVAL_MS = 1_000;

interface Known {
  readonly generations: readonly Generation[];
  /** Ms of `performance.now()`: these were the generations at some time after it. */
  readonly readAt: number;
}

/**
 * Runs each query on the generation that is live. Once it listens, it reads which one that is only after a notice of a change,
 * and every second in case that a notice was lost.
 */
export class PostgresLiveGenerations implements LiveGenerations {
  #known: Known | undefined;
  #changes = 0;
  #listener: PostgresListener | undefined;

  /** @param database for the queries of lists */
  constructor(private readonly database: Postgres) {}

  /** Until then each query reads which generation is live. @throws PostgresError */
  async listen(): Promise<void> {
    const refresh = (session: PostgresSession): Promise<void> => this.#refresh(session);
    const listener = new PostgresListener(this.database.settings, {
      channel: CHANGES_CHANNEL,
      beatIntervalMs: BEAT_INTERVAL_MS,
      onConnected: refresh,
      onBeat: refresh,
      onNotice: () => this.#forget(),
    });
    this.#listener = listener;
    await listener.start();
  }

  async close(): Promise<void> {
    await this.#listener?.close();
  }

  async query<T>(projection: ProjectionName, work: (live: LiveGeneration) => Promise<T>): Promise<T> {
    try {
      return await work(this.#forQueries(await this.#liveOf(projection)));
    } catch (error) {
      if (!(error instanceof PostgresError) || error.code === 'Refused') throw error;
      throw new ReadModelUnavailable(projection, `the database: ${error.message}`);
    }
  }

  async #liveOf(projection: ProjectionName): Promise<Generation> {
    const live = liveOf(await this.#generations(), projection);
    if (!live) throw new ReadModelUnavailable(projection, 'it has no tables yet');
    assertReadable(live);
    return live;
  }

  async #generations(): Promise<readonly Generation[]> {
    const known = this.#known;
    if (known && performance.now() < known.readAt + STALE_READS_MS_MAX) return known.generations;
    return readGenerations(this.database);
  }

  /** A notice that arrives during the read is about a later state. */
  async #refresh(session: PostgresSession): Promise<void> {
    const [readAt, changes] = [performance.now(), this.#changes];
    const generations = await readGenerations(session);
    if (changes === this.#changes) this.#known = { generations, readAt };
  }

  #forget(): void {
    this.#changes += 1;
    this.#known = undefined;
  }

  #forQueries(generation: Generation): LiveGeneration {
    const { database } = this;
    return {
      generation: generation.generation,
      source: generation.source,
      build: tablesOf(generation),
      all: (query) => database.all(query),
      progress: () => progressOf(database, generation.generation),
    };
  }
}
