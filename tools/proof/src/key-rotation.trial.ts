import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { inLanes } from './lanes.js';
import { MerchantCalls, saidBy } from './merchant.calls.js';
import { SecretSearch } from './secret.search.js';
import type { Pair } from './service.pair.js';
import { startPair } from './service.pair.js';
import { factsOf, terminalsOf, type Site } from './site.js';
import { SteadyLoad } from './steady.load.js';
import { endOf, runTool, type ToolRun } from './tool.process.js';

const LANES = 16;
const KEY_FILE = 'vault.keys';
/** Node itself needs about so long to start. */
const STARTS_WITHIN_MS = 150;

export class KeyRotationTrial {
  readonly complaints: string[] = [];
  readonly load: SteadyLoad;
  kills = 0;
  rotations = 0;
  payments = 0;
  private rotationMs = 400;
  private readonly gone: Buffer[] = [];
  private readonly calls: MerchantCalls;

  private constructor(
    private readonly site: Site,
    private pair: Pair,
  ) {
    this.calls = new MerchantCalls(factsOf(site));
    this.load = new SteadyLoad(this.calls, () => this.origins(), terminalsOf(site));
  }

  static async start(site: Site): Promise<KeyRotationTrial> {
    return new KeyRotationTrial(site, await startPair(site));
  }

  /** One rotation, killed so many times on its way, and run again until it is complete. */
  async rotate(kills: number): Promise<void> {
    const before = this.keys();
    for (let kill = 0; kill < kills; kill++) {
      const run = await runTool(this.site, 'vault-keys', ['rotate'], {
        killAfterMs: STARTS_WITHIN_MS + Math.random() * this.rotationMs,
      });
      if (run.code === null) this.kills++;
      else if (run.code === 0) this.completed(run);
      else this.complaints.push(`a rotation that was not killed yet: ${endOf(run)}`);
    }
    const run = await runTool(this.site, 'vault-keys', ['rotate']);
    if (run.code !== 0) return void this.complaints.push(`rotation: ${endOf(run)}`);
    this.completed(run);
    await this.oneVersion(before);
  }

  /** Every stored card that was not removed, on one process or the other. */
  async allPay(): Promise<void> {
    const origins = this.origins();
    await inLanes(this.load.tokens, LANES, async (paymentMethodId, index) => {
      const origin = origins[(index + this.payments) % origins.length] ?? '';
      const body = { paymentMethodId, amount: 100 };
      const reply = await this.calls.send(origin, 'POST', '/v1/transactions/token-sale', { body });
      this.payments++;
      if (reply?.status !== 200 || !reply.text.includes('"responseCode":1,'))
        this.complaints.push(`${paymentMethodId} does not pay on ${origin}: ${saidBy(reply)}`);
    });
  }

  async restart(): Promise<void> {
    await this.pair.stop();
    this.pair = await startPair(this.site);
  }

  async stop(): Promise<void> {
    await this.load.stop();
    await this.pair.stop();
  }

  /** No key that was taken out is in any file: neither as it is written nor its bytes. */
  oldKeysAreGone(): void {
    const search = new SecretSearch({ bytes: new Map([['an old master key', this.gone]]) });
    for (const name of readdirSync(this.site.dataDir)) {
      const file = join(this.site.dataDir, name);
      if (name === 'read-models') continue;
      this.complaints.push(...search.in(name, readFileSync(file)));
    }
  }

  get figures(): Readonly<Record<string, number>> {
    const { load, kills, rotations, payments } = this;
    const operations = load.answered.size;
    return { rotations, kills, operations, 'cards in the end': load.tokens.length, payments };
  }

  /** So long it takes on this machine: the next is killed before that. */
  private completed({ ms }: ToolRun): void {
    this.rotations++;
    this.rotationMs = Math.max(100, ms - STARTS_WITHIN_MS);
  }

  /** What the tool says of itself, and what the key file holds. */
  private async oneVersion(before: readonly string[]): Promise<void> {
    const status = await runTool(this.site, 'vault-keys', ['status']);
    const versions = status.output.split('\n').filter((line) => /^version \d+ /.test(line));
    const others = versions.filter((line) => !line.includes('retired') && !line.includes('the current one'));
    const inUse = versions.filter((line) => line.includes('the current one'));
    if (
      status.code !== 0 ||
      inUse.length !== 1 ||
      others.length > 0 ||
      !status.output.includes('No rotation is under')
    )
      this.complaints.push(`after a rotation the status is: ${endOf(status)}`);
    const now = this.keys();
    const kept = before.filter((key) => now.includes(key));
    if (now.length !== 1 || kept.length > 0)
      this.complaints.push(`after a rotation ${KEY_FILE} has ${now.length} keys, ${kept.length} of them old`);
    this.gone.push(...before.filter((key) => !now.includes(key)).map((key) => Buffer.from(key, 'base64')));
  }

  private keys(): string[] {
    return readFileSync(join(this.site.dataDir, KEY_FILE), 'utf8').trim().split('\n');
  }

  private origins(): string[] {
    return this.pair.processes.filter(({ running }) => running).map(({ origin }) => origin);
  }
}
