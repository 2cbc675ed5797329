import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { type Pair, startPair } from '../processes/service.process.js';
import { describeRun, runTool, type ToolRun } from '../processes/tool.process.js';
import { type Proof, roundCount } from '../proof.types.js';
import { SecretSearch } from '../secrets/secret.search.js';
import { ApiClient, approvedIn, describeResponse } from '../support/api.client.js';
import { inParallel } from '../support/concurrency.js';
import {
  type Deployment,
  longDeadlines,
  newDeployment,
  sandboxFacts,
  terminalIds,
} from '../support/deployment.js';
import { SteadyLoad } from '../support/steady.load.js';

const TERMINALS = 16;

export const keyRotation: Proof = {
  name: 'key-rotation',
  claim:
    'a rotation of the master key, killed at any moment and run again, disturbs no payment and loses no card (rounds)',
  least: { 'cards in the end': 11 },
  async run(options) {
    const { quick, say } = options;
    const rounds = roundCount(options, 10, 1);
    const deployment = newDeployment(TERMINALS, longDeadlines(10_000));
    const trial = new KeyRotationTrial(deployment, await startPair(deployment));
    try {
      await trial.load.storeCards(quick ? 60 : 2_000);
      say(`${trial.load.tokens.length} cards are stored`);
      trial.load.start(quick ? 20 : 50);
      await trial.rotate(0);
      for (let round = 0; round < rounds; round++) {
        await trial.rotate(quick ? 2 : 4);
        say(`rotation ${trial.rotations}: ${trial.kills} kills, ${trial.complaints.length} complaints`);
      }
      await trial.load.stop();
      await trial.payWithAllCards();
      await trial.restart();
      await trial.payWithAllCards();
      await trial.stop();
      trial.checkOldKeysRemoved();
      const { load, kills, rotations, payments, complaints } = trial;
      const operations = load.answered.size;
      return {
        complaints: [...complaints, ...load.failures],
        figures: { rotations, kills, operations, 'cards in the end': load.tokens.length, payments },
      };
    } finally {
      await trial.stop();
      deployment.remove();
    }
  },
};

const CONCURRENCY = 16;
const KEY_FILE = 'vault.keys';
/** Node needs about so long to start. */
const NODE_START_MS = 150;

class KeyRotationTrial {
  readonly complaints: string[] = [];
  readonly load: SteadyLoad;
  kills = 0;
  rotations = 0;
  payments = 0;
  private rotationMs = 400;
  private readonly removedKeys: Buffer[] = [];
  private readonly calls: ApiClient;

  constructor(
    private readonly deployment: Deployment,
    private pair: Pair,
  ) {
    this.calls = new ApiClient(sandboxFacts(deployment));
    this.load = new SteadyLoad(this.calls, () => this.pair.origins, terminalIds(deployment));
  }

  /** Runs one rotation, kills it `kills` times, and runs it again until it is complete. */
  async rotate(kills: number): Promise<void> {
    const before = this.keys();
    for (let kill = 0; kill < kills; kill++) {
      const killAfterMs = NODE_START_MS + Math.random() * this.rotationMs;
      const run = await runTool(this.deployment, 'vault-keys', ['rotate'], killAfterMs);
      if (run.code === null) this.kills++;
      else if (run.code === 0) this.completed(run);
      else this.complaints.push(`a rotation that was not killed yet: ${describeRun(run)}`);
    }
    const run = await runTool(this.deployment, 'vault-keys', ['rotate']);
    if (run.code !== 0) return void this.complaints.push(`rotation: ${describeRun(run)}`);
    this.completed(run);
    await this.checkOneVersion(before);
  }

  async payWithAllCards(): Promise<void> {
    const { origins } = this.pair;
    await inParallel(this.load.tokens, CONCURRENCY, async (paymentMethodId, index) => {
      const origin = origins[(index + this.payments) % 2] ?? '';
      const body = { paymentMethodId, amount: 100 };
      const response = await this.calls.send(origin, 'POST', '/v1/transactions/token-sale', { body });
      this.payments++;
      if (!approvedIn(response))
        this.complaints.push(`${paymentMethodId} does not pay on ${origin}: ${describeResponse(response)}`);
    });
  }

  async restart(): Promise<void> {
    await this.pair.stop();
    this.pair = await startPair(this.deployment);
  }

  async stop(): Promise<void> {
    await this.load.stop();
    await this.pair.stop();
  }

  /** No removed key is in any file, as text or as bytes. */
  checkOldKeysRemoved(): void {
    const search = new SecretSearch({ bytes: new Map([['an old master key', this.removedKeys]]) });
    const { dataDir } = this.deployment;
    for (const entry of readdirSync(dataDir, { recursive: true, withFileTypes: true })) {
      const file = join(entry.parentPath, entry.name);
      if (entry.isFile()) this.complaints.push(...search.in(relative(dataDir, file), readFileSync(file)));
    }
  }

  /** Measures a rotation, so that the next one is killed before its end. */
  private completed({ ms }: ToolRun): void {
    this.rotations++;
    this.rotationMs = Math.max(100, ms - NODE_START_MS);
  }

  private async checkOneVersion(before: readonly string[]): Promise<void> {
    const status = await runTool(this.deployment, 'vault-keys', ['status']);
    const versions = status.output.split('\n').filter((line) => /^version \d+ /.test(line));
    const inUse = versions.filter((line) => line.includes('the current one'));
    const retired = versions.filter((line) => !inUse.includes(line) && line.includes('retired'));
    const isComplete = status.code === 0 && status.output.includes('No rotation is under');
    if (!isComplete || inUse.length !== 1 || retired.length !== versions.length - 1)
      this.complaints.push(`after a rotation the status is: ${describeRun(status)}`);
    const now = this.keys();
    const removed = before.filter((key) => !now.includes(key));
    const kept = before.length - removed.length;
    if (now.length !== 1 || kept > 0)
      this.complaints.push(`after a rotation ${KEY_FILE} has ${now.length} keys, ${kept} of them old`);
    this.removedKeys.push(...removed.map((key) => Buffer.from(key, 'base64')));
  }

  private keys(): string[] {
    return readFileSync(join(this.deployment.dataDir, KEY_FILE), 'utf8').trim().split('\n');
  }
}
