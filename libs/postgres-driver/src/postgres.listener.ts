import { Backoff, errorMessage } from '@tillstream/runtime';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { PostgresError, toPostgresError } from './postgres.errors.js';
import { PostgresSession } from './postgres.session.js';
import { clientConfig, type PostgresSettings } from './postgres.settings.js';

export interface ListenerOptions {
  /** The channel of `notify`: a lower-case name. */
  readonly channel: string;
  readonly beatIntervalMs: number;
  /** Called with each new connection, when it already gets notices. If it rejects, the connection is replaced. */
  onConnected(session: PostgresSession): Promise<void>;
  /** Called every `beatIntervalMs`. If it rejects, the connection is replaced. */
  onBeat(session: PostgresSession): Promise<void>;
  onNotice(payload: string): void;
}

const PAUSES = { firstPauseMs: 50, longestPauseMs: 2_000 };

/** Gets the notices of one channel on a connection of its own, which is replaced when it is lost. */
export class PostgresListener {
  readonly #stop = new AbortController();
  #client: pg.Client | undefined;
  #running: Promise<void> | undefined;

  constructor(
    private readonly settings: PostgresSettings,
    private readonly options: ListenerOptions,
  ) {}

  /** Resolves when it listens. @throws PostgresError if the first connection fails */
  async start(): Promise<void> {
    const first = await this.#connect();
    this.#running = this.#run(first);
  }

  /** A repeat does nothing. */
  async close(): Promise<void> {
    this.#stop.abort();
    await this.#client?.end().catch(() => undefined);
    await this.#running;
  }

  async #run(first: PostgresSession): Promise<void> {
    const backoff = new Backoff(PAUSES);
    for (let session: PostgresSession | undefined = first; !this.#stop.signal.aborted;) {
      try {
        session ??= await this.#connect();
        backoff.reset();
        await this.#pause(this.options.beatIntervalMs);
        await this.options.onBeat(session);
      } catch {
        // The process is not ready while the database is away, which its health says.
        session = undefined;
        await this.#client?.end().catch(() => undefined);
        await this.#pause(backoff.next());
      }
    }
    // It may have connected again while it was closed.
    await this.#client?.end().catch(() => undefined);
  }

  async #connect(): Promise<PostgresSession> {
    const { channel, onConnected, onNotice } = this.options;
    const client = new pg.Client(clientConfig(this.settings));
    client.on('error', () => undefined);
    client.on('notification', ({ payload = '' }) => onNotice(payload));
    try {
      await client.connect();
    } catch (error) {
      throw toPostgresError(error, 'Connect');
    }
    this.#client = client;
    const session = new PostgresSession(client);
    try {
      await session.command(`listen ${channel}`);
      await onConnected(session);
      return session;
    } catch (error) {
      await client.end().catch(() => undefined);
      throw error instanceof PostgresError ? error : new PostgresError('Unavailable', errorMessage(error));
    }
  }

  async #pause(ms: number): Promise<void> {
    await sleep(ms, undefined, { signal: this.#stop.signal }).catch(() => undefined);
  }
}
