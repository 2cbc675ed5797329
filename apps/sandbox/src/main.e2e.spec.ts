import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { NetworkSandboxProcessor, SandboxClient } from '@tillstream/processors';
import { attemptCall, inquiryFor, newKey } from '@tillstream/processors/testing';
import { sale, SECRET } from './network.fixture.js';
import { SandboxProcess } from './testing/sandbox.process.js';

const dataDir = mkdtempSync(join(tmpdir(), 'sandbox-main-'));
const running: SandboxProcess[] = [];
const clients: SandboxClient[] = [];
const start = (settings: Record<string, string> = {}, args: string[] = []): SandboxProcess => {
  const service = new SandboxProcess(
    { SANDBOX_SECRET: SECRET, SANDBOX_DATA_DIR: dataDir, ...settings },
    args,
  );
  running.push(service);
  return service;
};
const processorAt = (url: string): NetworkSandboxProcessor => {
  const report = (): void => undefined;
  const client = new SandboxClient({ url, secret: SECRET, connections: 50, clockOffset: () => 0, report });
  clients.push(client);
  return new NetworkSandboxProcessor({ client, lateCallsMax: 10, report });
};
afterEach(() => {
  for (const service of running.splice(0)) service.process.kill('SIGKILL');
  for (const client of clients.splice(0)) client.close();
});
afterAll(() => rmSync(dataDir, { recursive: true, force: true }));

describe('A failed start of the sandbox service', () => {
  it('by a wrong setting exits with 2 and one sentence that names the setting, without the secret', async () => {
    const wrong: [string, string][] = [
      ['SANDBOX_SECRET', 'hunter2'],
      ['SANDBOX_DATA_DIR', '/dev/null/x'],
    ];
    const services = wrong.map(([name, value]) => start({ [name]: value }));
    expect(await Promise.all(services.map((service) => service.end()))).toEqual(wrong.map(() => 2));
    services.forEach(({ stdout, stderr }, index) => {
      expect(stdout).toBe('');
      expect(stderr).toMatch(new RegExp(`^${wrong[index]?.[0]} is [^\n]+\\.\n$`));
      expect(stderr).not.toContain('hunter2');
    });
  });

  it('by a port in use exits with 1; --help lists all settings', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const { port } = taken.address() as AddressInfo;
    const services = [start({ SANDBOX_PORT: String(port), LOG_LEVEL: 'silent' }), start({}, ['--help'])];
    expect(await Promise.all(services.map((service) => service.end()))).toEqual([1, 0]);
    expect(services[0]?.stderr).toMatch(new RegExp(`^Port ${port} is taken [^\n]+\\.\n$`));
    for (const name of ['SANDBOX_PORT', 'SANDBOX_HOST', 'SANDBOX_DATA_DIR', 'SANDBOX_SECRET', 'LOG_LEVEL']) {
      expect(services[1]?.stdout).toContain(`${name}=`);
    }
    taken.close();
  });
});

describe('A sandbox service', () => {
  it('that is killed between request and response has charged, and an inquiry finds it after the restart', async () => {
    const service = start();
    const processor = processorAt(await service.started());
    const [silent, slow, done] = [newKey(), newKey(), newKey()];
    const first = await processor.sale(sale(500), attemptCall(done));
    const waiting = [
      processor.sale(sale(920_001), attemptCall(silent)),
      processor.sale(sale(920_005), attemptCall(slow)),
    ];
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(await service.stop('SIGKILL')).toBe('SIGKILL');
    // At once, and not at the deadline: the connection is closed.
    expect(await Promise.all(waiting)).toEqual([{ kind: 'NoAnswer' }, { kind: 'NoAnswer' }]);
    const dead = await processor.sale(sale(500), attemptCall(newKey()));
    expect(dead).toMatchObject({ kind: 'NotSent' });

    const again = processorAt(await start().started());
    const found = (amount: number) => ({ kind: 'Found', answer: { kind: 'Approved', amount } });
    expect(await again.inquire(inquiryFor(silent))).toMatchObject(found(920_001));
    const until = performance.now() + 15_000;
    let result = await again.inquire(inquiryFor(slow));
    while (result.kind === 'StillRunning' && performance.now() < until) {
      await new Promise((resolve) => setTimeout(resolve, 100));
      result = await again.inquire(inquiryFor(slow));
    }
    expect(result).toMatchObject(found(920_005));
    expect(await again.sale(sale(500), attemptCall(done))).toEqual(first);
  });

  it('stops on a signal, with exit 0, while a call waits for a response that never comes', async () => {
    const service = start();
    const processor = processorAt(await service.started());
    const silent = processor.sale(sale(920_001), attemptCall(newKey(), { deadlineMs: 60_000 }));
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(await service.stop('SIGTERM')).toBe(0);
    expect(await silent).toEqual({ kind: 'NoAnswer' });
  });

  it('writes no card number and no secret to any file or log line', async () => {
    const service = start({ LOG_LEVEL: 'trace' });
    const url = await service.started();
    const key = newKey();
    expect(await processorAt(url).sale(sale(700), attemptCall(key))).toMatchObject({ kind: 'Approved' });
    const headers = { authorization: `Bearer ${SECRET}`, 'content-type': 'application/json' };
    for (const body of ['{"card":"4242424242424242"', '{"request":{"card":{"number":"4242424242424242"}}}']) {
      const reply = await fetch(`${url}/v1/execute`, { method: 'POST', headers, body });
      expect(reply.status).toBe(400);
      expect(await reply.text()).not.toContain('4242424242424242');
    }
    await fetch(`${url}/v1/4242424242424242?card=4242424242424242`, { headers });
    expect(await service.stop()).toBe(0);
    expect(service.stderr).toContain('/v1/execute');
    const files = readdirSync(dataDir).map((name) => readFileSync(join(dataDir, name)).toString('latin1'));
    for (const text of [...files, service.stderr, service.stdout]) {
      expect(text).not.toMatch(/4242424242424242|a-secret-of-the-tests/);
    }
  });
});
