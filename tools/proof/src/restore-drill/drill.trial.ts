import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { readLedger } from '../audit/deployment.audit.js';
import { movementErrors } from '../audit/movements.check.js';
import { netAmountErrors } from '../audit/net-amounts.check.js';
import { AcquirerProcess } from '../processes/acquirer.process.js';
import { ServiceProcess } from '../processes/service.process.js';
import { describeRun, runTool, type ToolRun } from '../processes/tool.process.js';
import { ApiClient, transactionIn } from '../support/api.client.js';
import {
  freePort,
  longDeadlines,
  newDeployment,
  newDirectory,
  removeDirectory,
  sandboxFacts,
  terminalIds,
  type Deployment,
} from '../support/deployment.js';
import { SteadyLoad } from '../support/steady.load.js';
import { readHistory, requestedKeys, untilResolved } from './drill.history.js';
import { COMPARED_MAX, type CheckParts } from './drill.types.js';
import type { DrillStores } from './drill.stores.js';
import { ReconciliationCheck } from './reconciliation.check.js';
import { RemovalsCheck } from './removals.check.js';

const TERMINALS = 8;
const RATE_PER_SECOND = 25;
const RESOLVED_WITHIN_MS = 90_000;
const REFUSED_WITHIN_MS = 60_000;

export interface DrillReport {
  readonly name: string;
  readonly complaints: readonly string[];
  readonly figures: Readonly<Record<string, number>>;
}

/** Payments, a copy among them, more payments, a loss of everything but the acquirer, a restore, and a reconciliation. */
export class Drill {
  private readonly acquirerDir = newDirectory('acquirer');
  private readonly work = mkdtempSync(join(tmpdir(), 'tillstream-drill-'));
  private readonly dataDir = newDirectory('proof');
  private readonly complaints: string[] = [];
  private readonly figures: Record<string, number> = {};
  private settings: Readonly<Record<string, string>> = {};

  constructor(
    private readonly stores: DrillStores,
    /** Before the copy, and as many after it. */
    private readonly operations: number,
    private readonly say: (line: string) => void,
  ) {}

  async run(): Promise<DrillReport> {
    const from = new Date(Date.now() - 1_000);
    this.settings = {
      SANDBOX: 'network',
      SANDBOX_URL: `http://127.0.0.1:${await freePort()}`,
      SANDBOX_SECRET: randomBytes(16).toString('hex'),
      VAULT_MASTER_KEY: randomBytes(32).toString('base64'),
      IDEMPOTENCY_ANSWER_KEY: randomBytes(32).toString('base64'),
      ...longDeadlines(10_000),
    };
    const acquirer = new AcquirerProcess(this.deployment());
    try {
      await acquirer.ready();
      const answered = await this.payAndCopy();
      const missing = await this.loseAndRestore();
      this.tell(`restored; the acquirer has ${missing.size} attempts more`);
      await this.reconciliation.run(await this.dailyFile(from), missing);
      await this.removals.repeatBeforeStart();
      await this.require('the resume', 0, 'resume-after-restore', '--reason', 'drill', '--actor', 'drill');
      this.tell('reconciled');
      await this.resume(answered);
      this.tell('started again, every operation has an outcome');
      await acquirer.kill('SIGTERM');
      await this.audit();
    } finally {
      await acquirer.kill();
      await this.stores.stop();
      for (const directory of [this.dataDir, this.acquirerDir]) removeDirectory(directory);
      rmSync(this.work, { recursive: true, force: true });
    }
    return { name: this.stores.name, complaints: this.complaints, figures: this.figures };
  }

  private deployment(): Deployment {
    const environment = { ...this.settings, ...this.stores.environment() };
    return { ...newDeployment(TERMINALS, environment, this.dataDir), acquirerDir: this.acquirerDir };
  }

  private get address(): string {
    return this.stores.environment()['EVENTSTOREDB_URL'] ?? `sqlite:${this.dataDir}`;
  }

  private get removals(): RemovalsCheck {
    return new RemovalsCheck(join(this.work, 'removals.txt'), this.checkParts);
  }

  private get copy(): string {
    return join(this.work, 'copy');
  }

  private get reconciliation(): ReconciliationCheck {
    const { work, address } = this;
    return new ReconciliationCheck({ ...this.checkParts, work, address });
  }

  private get checkParts(): CheckParts {
    return {
      figures: this.figures,
      tool: (...args) => this.tool(...args),
      check: (holds, complaint) => this.check(holds, complaint),
    };
  }

  private tool(...args: readonly string[]): Promise<ToolRun> {
    return runTool(this.deployment(), 'tillstream', args);
  }

  private async require(what: string, code: number, ...args: readonly string[]): Promise<ToolRun> {
    const run = await this.tool(...args);
    if (run.code !== code) throw new Error(`${what}: ${describeRun(run)}`);
    return run;
  }

  /** The load goes on during the copy and until the service is killed. Returns what its clients were answered. */
  private async payAndCopy(): Promise<ReadonlyMap<string, string | undefined>> {
    const deployment = this.deployment();
    const service = await ServiceProcess.start(deployment);
    const load = new SteadyLoad(
      new ApiClient(sandboxFacts(deployment)),
      () => [service.origin],
      terminalIds(deployment),
    );
    await load.make(this.operations);
    load.start(RATE_PER_SECOND);
    await setTimeout(500);
    const from = new Date().toISOString();
    const { ms } = await this.require('the backup', 0, 'backup', '--to', this.copy);
    this.figures['ms of the copy'] = Math.round(ms);
    const atCopy = load.answered.size;
    await setTimeout(1_000);
    await load.stop();
    await load.make(this.operations);
    await this.removals.list(from);
    load.start(RATE_PER_SECOND);
    await setTimeout(1_000);
    await service.kill();
    await load.stop();
    this.figures['operations before the copy'] = atCopy;
    this.figures['operations after it'] = load.answered.size - atCopy;
    this.tell(`copied after ${atCopy} operations, killed after ${load.answered.size}`);
    return load.answered;
  }

  /** Returns the keys that the acquirer has and the restored history has not, by their own files. */
  private async loseAndRestore(): Promise<ReadonlySet<string>> {
    await this.stores.lose(this.dataDir);
    await this.require('the restore', 0, 'restore', '--from', this.copy, '--actor', 'drill');
    const again = await this.tool('restore', '--from', this.copy);
    this.check(again.code === 1, `a restore into stores that are not empty: ${describeRun(again)}`);
    const refused = ServiceProcess.spawn(this.deployment(), await freePort());
    const exit = await refused.exitWithin(REFUSED_WITHIN_MS);
    if (!exit) await refused.kill();
    this.check(exit?.code === 2, `the service started before the reconciliation (exit code ${exit?.code})`);
    const known = requestedKeys(await readHistory(this.address));
    const { movements } = readLedger(this.deployment());
    return new Set(movements.map(({ key }) => key).filter((key) => !known.has(key)));
  }

  private async dailyFile(from: Date): Promise<string> {
    const { SANDBOX_URL = '', SANDBOX_SECRET = '' } = this.settings;
    const query = new URLSearchParams({ from: from.toISOString(), to: new Date().toISOString() });
    const response = await fetch(`${SANDBOX_URL}/v1/ledger/daily-file?${query}`, {
      headers: { authorization: `Bearer ${SANDBOX_SECRET}` },
    });
    const file = join(this.work, 'daily.jsonl');
    writeFileSync(file, await response.text());
    return file;
  }

  /** The merchant finds what it was answered, by the same ids. */
  private async resume(answered: ReadonlyMap<string, string | undefined>): Promise<void> {
    const deployment = this.deployment();
    const service = await ServiceProcess.start(deployment);
    try {
      const open = await untilResolved(this.address, RESOLVED_WITHIN_MS);
      for (const id of open) this.complaints.push(`${id} has no outcome after the restore`);
      const api = new ApiClient(sandboxFacts(deployment));
      const newest = [...answered]
        .filter(([id, text]) => (id[27] === 'P' && text?.includes('"amountApproved":')) ?? false)
        .slice(-COMPARED_MAX);
      for (const [id, text = ''] of newest) {
        const response = await api.send(service.origin, 'GET', `/v1/transactions/${id}`);
        const [before, now] = [transactionIn({ status: 200, text }), response && transactionIn(response)];
        const [was, is] = [before, now].map((one) => one?.transactionResponses[0]?.amountApproved);
        const isSame = now?.status === before?.status && was === is;
        this.check(
          isSame,
          `${id} was answered ${was}, and is ${is} after the restore (HTTP ${response?.status})`,
        );
      }
      this.figures['answers compared'] = newest.length;
      await this.removals.repeatUntilFinished(service.origin, api);
    } finally {
      await service.stop();
    }
  }

  private async audit(): Promise<void> {
    const { payments, events } = await readHistory(this.address);
    const evidence = { histories: payments, ...readLedger(this.deployment()), requests: [] };
    this.complaints.push(...movementErrors(evidence), ...netAmountErrors(evidence));
    const run = await runTool(this.deployment(), 'audit', [this.dataDir]);
    this.check(run.code === 0, `npm run audit: ${describeRun(run)}`);
    const verified = await this.tool('verify');
    this.check(verified.code === 0, `verify: ${describeRun(verified)}`);
    Object.assign(this.figures, { payments: payments.length, events });
  }

  private tell(line: string): void {
    this.say(`${this.stores.name}: ${line}`);
  }

  private check(holds: boolean, complaint: string): void {
    if (!holds) this.complaints.push(complaint);
  }
}
