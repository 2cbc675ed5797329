import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { emptyDirectory, ServiceProcess } from './testing/service.process.js';

const directories: string[] = [];
const running: ServiceProcess[] = [];
const directory = (): string => {
  const made = emptyDirectory();
  directories.push(made);
  return made;
};
const start = (dataDir: string, settings?: Record<string, string>, args?: string[]): ServiceProcess => {
  const service = new ServiceProcess(dataDir, settings, args);
  running.push(service);
  return service;
};
afterEach(() => {
  for (const { process: one } of running.splice(0)) one.kill('SIGKILL');
  for (const one of directories.splice(0)) rmSync(one, { recursive: true, force: true });
});

describe('A setting that is wrong', () => {
  it.each([
    ['PORT', 'eighty'],
    ['MODE', 'live'],
    ['SANDBOX_CRASH_POINT', 'anywhere:1'],
    ['DATA_DIR', '/dev/null/x'],
    ['EVENT_STORE', 'files'],
    ['EVENTSTOREDB_URL', 'localhost:2113'],
  ])('%s=%s stops the start: exit 2, one sentence that names it, no stack', async (name, value) => {
    const service = start(directory(), { [name]: value });
    expect(await service.end()).toBe(2);
    expect(service.stdout).toBe('');
    expect(service.stderr).toMatch(new RegExp(`^${name} is [^\n]+\\.\n$`));
    expect(service.stderr).not.toContain('    at ');
  });

  it('is told of an EventStoreDB that is missing in the settings, or does not answer: exit 2, one sentence', async () => {
    const missing = start(directory(), { EVENT_STORE: 'eventstoredb' });
    const silent = start(directory(), {
      EVENT_STORE: 'eventstoredb',
      EVENTSTOREDB_URL: 'esdb://admin:hunter2@127.0.0.1:1?tls=false',
      EVENTSTOREDB_WAIT_MS: '800',
      LOG_LEVEL: 'silent',
    });
    expect(await Promise.all([missing.end(), silent.end()])).toEqual([2, 2]);
    expect(missing.stderr).toMatch(/^EVENTSTOREDB_URL is missing, [^\n]+\.\n$/);
    expect(silent.stderr).toMatch(/^EVENTSTOREDB_URL names esdb:\/\/127\.0\.0\.1:1, which [^\n]+\.\n$/);
    expect(silent.stderr).not.toContain('hunter2');
  });

  it('is told of a port that is taken: exit 1, one sentence', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const { port } = taken.address() as AddressInfo;
    const service = start(directory(), { PORT: String(port), LOG_LEVEL: 'silent' });
    expect(await service.end()).toBe(1);
    expect(service.stderr).toMatch(new RegExp(`^Port ${port} is taken [^\n]+\\.\n$`));
    taken.close();
  });

  it('is explained by --help', async () => {
    const service = start(directory(), {}, ['--help']);
    expect(await service.end()).toBe(0);
    for (const name of ['PORT', 'DATA_DIR', 'SANDBOX_TERMINALS'])
      expect(service.stdout).toContain(`${name}=`);
  });
});

describe('The first start', () => {
  it('prints the address, the key, and lines that work as they are', async () => {
    const service = await start(directory()).started();
    expect(service.stdout).toContain(service.facts.baseUrl);
    expect(service.stdout).toContain(service.facts.apiKey);
    const lines = service.stdout.split('\n').filter((line) => line.startsWith('curl '));
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
    const dataDir = directory();
    const services = [start(dataDir), start(dataDir)];
    await Promise.all(services.map((service) => service.started()));
    const keys = new Set(services.map(({ stdout }) => /sk_test_\w+/.exec(stdout)?.[0]));
    expect(keys.size).toBe(1);
    const { facts } = services[0] as ServiceProcess;
    for (const { stdout } of services) {
      const baseUrl = /http:\S+\/v1/.exec(stdout)?.[0];
      const reply = await fetch(`${baseUrl}/payment-methods`, { headers: { 'x-api-key': facts.apiKey } });
      expect(((await reply.json()) as { data: unknown[] }).data).toHaveLength(5);
    }
  });

  it('that was killed is finished by the next', async () => {
    const dataDir = directory();
    const first = start(dataDir, { SANDBOX_TERMINALS: '200' });
    await new Promise((resolve) => setTimeout(resolve, 1_200));
    await first.stop('SIGKILL');
    const next = await start(dataDir, { SANDBOX_TERMINALS: '20' }).started();
    const names = next.facts.paymentMethods.map(({ description }) => description);
    expect(new Set(names).size).toBe(names.length);
    expect(names).toEqual(expect.arrayContaining(['Front counter', 'EFT form', 'Lane 1', 'Lane 20']));
  });
});

describe('A signal to stop', () => {
  it.each(['SIGINT', 'SIGTERM'] as const)('(%s) lets requests in flight finish: exit 0', async (signal) => {
    const settings = { PROCESSOR_DEADLINE_MS: '800', TERMINAL_DEADLINE_MS: '2500' };
    const service = await start(directory(), settings).started();
    const slow = service.sell({ amount: 920_001 });
    await new Promise((resolve) => setTimeout(resolve, 200));
    const before = Date.now();
    expect(await service.stop(signal)).toBe(0);
    expect((await slow).status).toBe(500);
    expect(Date.now() - before).toBeLessThan(3_000);
  });
});

describe('A process that is killed before its response', () => {
  it('leaves an operation that a repeat under the same key answers from history, once', async () => {
    const dataDir = directory();
    const doomed = await start(dataDir, { SANDBOX_CRASH_POINT: 'before-response:2' }).started();
    const headers = { 'idempotency-key': 'killed' };
    await doomed.sell({ amount: 1 });
    await expect(doomed.sell({ amount: 700, referenceId: 'killed' }, headers)).rejects.toThrow();
    expect(await doomed.end()).toBe('SIGKILL');

    const next = await start(dataDir).started();
    const reply = await next.sell({ amount: 700, referenceId: 'killed' }, headers);
    expect(await reply.json()).toMatchObject({ status: 'Completed', referenceId: 'killed', resultCode: 0 });
    const again = await next.sell({ amount: 700, referenceId: 'killed' }, headers);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
  });

  it('before it kept the answer too', async () => {
    const dataDir = directory();
    const doomed = await start(dataDir, { SANDBOX_CRASH_POINT: 'after-outcome:1' }).started();
    const headers = { 'idempotency-key': 'killed' };
    await expect(doomed.sell({ amount: 700 }, headers)).rejects.toThrow();
    const next = await start(dataDir).started();
    const reply = await next.sell({ amount: 700 }, headers);
    expect(reply.status).toBe(200);
    expect(reply.headers.get('idempotent-replayed')).toBeNull();
    const text = await reply.text();
    expect(await (await next.sell({ amount: 700 }, headers)).text()).toBe(text);
  });
});
