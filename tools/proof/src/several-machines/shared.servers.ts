import { randomBytes } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { PostgresServer } from '@tillstream/postgres-driver/testing';
import { AcquirerProcess } from '../processes/acquirer.process.js';
import { StoreProcess } from '../processes/store.process.js';
import {
  freePort,
  newDeployment,
  newDirectory,
  removeDirectory,
  SHORT_LATE_INQUIRIES,
  type Deployment,
  type Environment,
  type Rows,
} from '../support/deployment.js';

/** A dozen processes share the machine. */
const TIMINGS = {
  SEND_WITHIN_MS: '1500',
  PROCESSOR_DEADLINE_MS: '1500',
  TERMINAL_DEADLINE_MS: '2000',
  EVENTSTOREDB_DEADLINE_MS: '5000',
  DATABASE_CONNECT_MS: '3000',
  DATABASE_STATEMENT_MS: '3000',
  /** Of six processes; the server has 60. */
  DATABASE_CONNECTIONS: '6',
  // The breaker is off: payments must be in flight at a kill, not refused because of an earlier one.
  BREAKER_FAILURES: '0',
};

const newKey = (): string => randomBytes(32).toString('base64');

/** What two machines share: PostgreSQL, the double of EventStoreDB and the acquirer, each in processes of its own. */
export class SharedServers {
  private readonly acquirerDir = newDirectory('acquirer');
  private acquirer: AcquirerProcess | undefined;

  private constructor(
    private readonly postgres: PostgresServer,
    private readonly databaseName: string,
    private readonly store: StoreProcess,
    private readonly environment: Environment,
  ) {}

  static async start(isQuick: boolean): Promise<SharedServers> {
    const [postgres, store] = await Promise.all([PostgresServer.start(), StoreProcess.start()]);
    const { url } = await postgres.newDatabase();
    return new SharedServers(postgres, new URL(url).pathname.slice(1), store, {
      ...TIMINGS,
      ...(isQuick && SHORT_LATE_INQUIRIES),
      ...{ EVENT_STORE: 'eventstoredb', EVENTSTOREDB_URL: store.url },
      ...{ SHARED_STORE: 'postgres', DATABASE_URL: url, DATABASE_TLS: 'off' },
      ...{ IDEMPOTENCY_ANSWER_KEY: newKey(), VAULT_MASTER_KEY: newKey() },
      ...{ SANDBOX: 'network', SANDBOX_URL: `http://127.0.0.1:${await freePort()}` },
      SANDBOX_SECRET: randomBytes(16).toString('hex'),
    });
  }

  get storeUrl(): string {
    return this.store.url;
  }

  /** The directory and settings of one more machine. */
  newMachine(terminals: number): Deployment {
    const { acquirerDir, rows: database } = this;
    return { ...newDeployment(terminals, this.environment), acquirerDir, database };
  }

  /** Of a query that reads beside the service. */
  readonly rows: Rows = <Row>(query: string): Promise<readonly Row[]> =>
    this.postgres.admin<Row>(query, this.databaseName);

  /** After the first machine has its directory. */
  async startAcquirer(deployment: Deployment): Promise<void> {
    this.acquirer = new AcquirerProcess(deployment);
    await this.acquirer.ready();
  }

  /** Its ledger is complete then. */
  async stopAcquirer(): Promise<void> {
    await this.acquirer?.kill('SIGTERM');
  }

  /** As after a power cut. The service has no database for so long, ms. */
  async stopDatabase(ms: number): Promise<void> {
    await this.postgres.kill();
    await setTimeout(ms);
    await this.postgres.restart();
  }

  /** Ends all sessions of the service, busy ones too. */
  async cutConnections(): Promise<void> {
    await this.postgres.admin(
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${this.databaseName}'`,
    );
  }

  async stop(): Promise<void> {
    await this.stopAcquirer();
    await this.store.stop();
    await this.postgres.stop();
    removeDirectory(this.acquirerDir);
  }
}
