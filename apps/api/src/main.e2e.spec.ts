import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, readdirSync, rmSync, statSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { emptyDirectory, ServiceProcess } from './testing/service.process.js';

// A start is a second of a processor's time and more: what can be seen on one process is seen on one.

/** A start on a busy machine, several times over. */
const LIMIT_MS = 90_000;

class Processes {
  private readonly directories: string[] = [];
  private readonly running: ServiceProcess[] = [];

  directory(): string {
    const made = emptyDirectory();
    this.directories.push(made);
    return made;
  }

  start(dataDir: string, settings?: Record<string, string>, args?: string[]): ServiceProcess {
    const service = new ServiceProcess(dataDir, settings, args);
    this.running.push(service);
    return service;
  }

  end(): void {
    for (const { process: one } of this.running.splice(0)) one.kill('SIGKILL');
    for (const one of this.directories.splice(0)) rmSync(one, { recursive: true, force: true });
  }
}

const processes = new Processes();

describe('A setting that is wrong', () => {
  afterEach(() => processes.end());

  // One that is found as settings are read, as all others are, and one that is found as the stores are opened.
  it.each([
    ['PORT', 'eighty'],
    ['DATA_DIR', '/dev/null/x'],
  ])(
    '%s=%s stops the start: exit 2, one sentence that names it, no stack',
    async (name, value) => {
      const service = processes.start(processes.directory(), { [name]: value });
      expect(await service.end()).toBe(2);
      expect(service.stdout).toBe('');
      expect(service.stderr).toMatch(new RegExp(`^${name} is [^\n]+\\.\n$`));
      expect(service.stderr).not.toContain('    at ');
    },
    LIMIT_MS,
  );

  it(
    'reports an EventStoreDB that does not respond: exit 2, one sentence',
    async () => {
      const silent = processes.start(processes.directory(), {
        EVENT_STORE: 'eventstoredb',
        EVENTSTOREDB_URL: 'esdb://admin:hunter2@127.0.0.1:1?tls=false',
        EVENTSTOREDB_WAIT_MS: '500',
        LOG_LEVEL: 'silent',
      });
      expect(await silent.end()).toBe(2);
      expect(silent.stderr).toMatch(/^EVENTSTOREDB_URL names esdb:\/\/127\.0\.0\.1:1, which [^\n]+\.\n$/);
      expect(silent.stderr).not.toContain('hunter2');
    },
    LIMIT_MS,
  );

  it(
    'reports a port that is taken: exit 1, one sentence',
    async () => {
      const taken = createServer().listen(0, '127.0.0.1');
      await once(taken, 'listening');
      const { port } = taken.address() as AddressInfo;
      const service = processes.start(processes.directory(), { PORT: String(port), LOG_LEVEL: 'silent' });
      expect(await service.end()).toBe(1);
      expect(service.stderr).toMatch(new RegExp(`^Port ${port} is taken [^\n]+\\.\n$`));
      taken.close();
    },
    LIMIT_MS,
  );

  it(
    'is no argument: exit 2, one sentence that names it',
    async () => {
      const service = processes.start(processes.directory(), {}, ['--port', '4000']);
      expect(await service.end()).toBe(2);
      expect(service.stderr).toMatch(/^"--port" is not known[^\n]+--help\.\n$/);
    },
    LIMIT_MS,
  );

  it(
    'is explained by --help',
    async () => {
      const service = processes.start(processes.directory(), {}, ['--help']);
      expect(await service.end()).toBe(0);
      for (const name of ['PORT', 'DATA_DIR', 'SANDBOX_TERMINALS'])
        expect(service.stdout).toContain(`${name}=`);
    },
    LIMIT_MS,
  );
});

describe('The first start', () => {
  let services: readonly [ServiceProcess, ServiceProcess];

  beforeAll(async () => {
    const dataDir = processes.directory();
    // The directory existed before, with these permissions.
    chmodSync(dataDir, 0o755);
    const settings = { PROCESSOR_DEADLINE_MS: '1500', TERMINAL_DEADLINE_MS: '4000' };
    services = [processes.start(dataDir, settings), processes.start(dataDir, settings)];
    await Promise.all(services.map((service) => service.started()));
  }, LIMIT_MS);
  afterAll(() => processes.end());

  it('prints the address, the key, and lines that work as they are', () => {
    const [{ stdout, facts }] = services;
    expect(stdout).toContain(facts.apiKey);
    expect(services.map((one) => one.stdout.includes(facts.baseUrl))).toContain(true);
    const lines = stdout.split('\n').filter((line) => line.startsWith('curl '));
    expect(lines).toHaveLength(3);
    const answers = lines.map((line): unknown =>
      JSON.parse(execFileSync('bash', ['-c', line], { encoding: 'utf8' })),
    );
    const completed = (responseCode: number) => ({
      status: 'Completed',
      transactionResponses: [{ responseCode }],
    });
    expect(answers).toMatchObject([completed(1), completed(1), completed(11)]);
  });

  it('by two processes at once makes one merchant, which both serve', async () => {
    const keys = new Set(services.map(({ stdout }) => /sk_test_\w+/.exec(stdout)?.[0]));
    expect(keys.size).toBe(1);
    const [{ facts }] = services;
    for (const { stdout } of services) {
      const baseUrl = /http:\S+\/v1/.exec(stdout)?.[0];
      const reply = await fetch(`${baseUrl}/payment-methods`, { headers: { 'x-api-key': facts.apiKey } });
      expect(((await reply.json()) as { data: unknown[] }).data).toHaveLength(5);
    }
  });

  it('makes each file for its owner only, also in a directory that others can read', () => {
    const [{ dataDir }] = services;
    const files = readdirSync(dataDir, { recursive: true, encoding: 'utf8' });
    expect(files).toEqual(expect.arrayContaining(['events.db', 'sandbox.db', 'vault.db', 'sandbox.json']));
    const open = files.filter((file) => (statSync(join(dataDir, file)).mode & 0o077) !== 0);
    expect(open).toEqual([]);
  });

  it("makes the vault's master key once, and says so", () => {
    const lines = services.flatMap((service) => keyMadeIn(service));
    expect(lines).toEqual([expect.stringContaining(join(services[0].dataDir, 'vault.keys'))]);
  });

  describe('is ended by a signal', () => {
    it.each([
      ['SIGINT', 0],
      ['SIGTERM', 1],
    ] as const)('(%s) that lets requests in flight finish: exit 0', async (signal, index) => {
      const service = services[index];
      const baseUrl = /http:\S+\/v1/.exec(service.stdout)?.[0] ?? '';
      const { apiKey } = service.facts;
      const headers = { 'x-api-key': apiKey, 'content-type': 'application/json' };
      const slow = fetch(`${baseUrl}/transactions/physical-sale`, {
        method: 'POST',
        headers,
        body: JSON.stringify({ amount: 920_001, referenceId: signal }),
      });
      const inFlight = async (): Promise<boolean> => {
        const reply = await fetch(`${baseUrl}/transactions?referenceId=${signal}`, { headers });
        return ((await reply.json()) as { data: unknown[] }).data.length > 0;
      };
      while (!(await inFlight())) await pause(20);
      expect(await service.stop(signal)).toBe(0);
      expect((await slow).status).toBe(500);
    });
  });
});

describe('The first start that was killed', () => {
  afterEach(() => processes.end());

  it(
    'is finished by the next',
    async () => {
      const dataDir = processes.directory();
      const first = processes.start(dataDir, { SANDBOX_TERMINALS: '200' });
      // In the middle of making terminals, a commit of some pages each.
      while (first.stdout === '' && logBytes(dataDir) < 200_000) await pause(2);
      await first.stop('SIGKILL');
      const next = await processes.start(dataDir, { SANDBOX_TERMINALS: '20' }).started();
      const names = next.facts.paymentMethods.map(({ description }) => description);
      expect(new Set(names).size).toBe(names.length);
      expect(names).toEqual(expect.arrayContaining(['Front counter', 'EFT form', 'Lane 1', 'Lane 20']));
    },
    LIMIT_MS,
  );
});

describe('A process that is killed before its response', () => {
  const late = { 'idempotency-key': 'killed-late' };
  const early = { 'idempotency-key': 'killed-early' };
  let next: ServiceProcess;

  beforeAll(async () => {
    const dataDir = processes.directory();
    const doomed = await processes.start(dataDir, { SANDBOX_CRASH_POINT: 'before-response:2' }).started();
    await doomed.sell({ amount: 1 });
    await assert.rejects(doomed.sell({ amount: 700, referenceId: 'killed' }, late));
    assert.equal(await doomed.end(), 'SIGKILL');
    const other = await processes.start(dataDir, { SANDBOX_CRASH_POINT: 'after-outcome:1' }).started();
    await assert.rejects(other.sell({ amount: 700 }, early));
    assert.equal(await other.end(), 'SIGKILL');
    next = await processes.start(dataDir).started();
  }, LIMIT_MS);
  afterAll(() => processes.end());

  it('leaves an operation that a repeat under the same key answers from history, once', async () => {
    const reply = await next.sell({ amount: 700, referenceId: 'killed' }, late);
    expect(await reply.json()).toMatchObject({ status: 'Completed', referenceId: 'killed', resultCode: 0 });
    const again = await next.sell({ amount: 700, referenceId: 'killed' }, late);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
  });

  it("leaves the vault's master key to the next start, which makes none", () => {
    expect(keyMadeIn(next)).toEqual([]);
  });

  it('before it kept the answer too', async () => {
    const reply = await next.sell({ amount: 700 }, early);
    expect(reply.status).toBe(200);
    expect(reply.headers.get('idempotent-replayed')).toBeNull();
    const text = await reply.text();
    expect(await (await next.sell({ amount: 700 }, early)).text()).toBe(text);
  });
});

/** What it logged of a master key that it made. */
function keyMadeIn({ stdout, stderr }: ServiceProcess): string[] {
  return `${stdout}${stderr}`.split('\n').filter((line) => line.includes('vault-key-made'));
}

/** Of what was committed to the event store and not yet moved into its file. */
function logBytes(dataDir: string): number {
  return statSync(join(dataDir, 'events.db-wal'), { throwIfNoEntry: false })?.size ?? 0;
}
