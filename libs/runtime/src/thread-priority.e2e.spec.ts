import { spawnSync } from 'node:child_process';

/** The priorities of all threads of a process after the call, and of one that it starts then; `nice` as in `ps`. */
function prioritiesAfter(call: string): { readonly before: number[]; readonly started: number } {
  const script = `
    import { readdirSync } from 'node:fs';
    import { getPriority } from 'node:os';
    import { Worker } from 'node:worker_threads';
    import * as runtime from '${new URL('../dist/index.js', import.meta.url).href}';
    const threads = readdirSync('/proc/self/task').map(Number);
    ${call};
    const before = threads.map((thread) => getPriority(thread));
    const text = "require('node:worker_threads').parentPort.postMessage(require('node:os').getPriority())";
    new Worker(text, { eval: true, execArgv: [] }).once('message', (started) => console.log(JSON.stringify({ before, started })));
  `;
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
    encoding: 'utf8',
  });
  if (stdout === '') throw new Error(stderr);
  return JSON.parse(stdout) as { readonly before: number[]; readonly started: number };
}

const onLinux = process.platform === 'linux' ? describe : describe.skip;

onLinux('A lower priority', () => {
  it('of a process is that of all its threads, V8’s own included', () => {
    const { before, started } = prioritiesAfter(`runtime.lowerProcessPriority('Seventieth')`);
    expect(before.length).toBeGreaterThan(1);
    expect(new Set([...before, started])).toEqual(new Set([19]));
  });

  it('of a thread is that of the threads that it starts, and no other', () => {
    const { before, started } = prioritiesAfter(`runtime.lowerThreadPriority('Tenth')`);
    const [own, ...others] = before.toSorted((one, other) => other - one);
    expect([own, started]).toEqual([10, 10]);
    expect(Math.max(...others)).toBeLessThan(10);
  });
});
