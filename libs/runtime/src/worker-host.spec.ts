import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { WorkerHost, WorkerStartError, type WorkerExit, type WorkerHostOptions } from './worker-host.js';

type Request = { readonly kind: 'echo' | 'crash' | 'close' };
type Reply = { readonly kind: 'echoed'; readonly thread: number };

/** Replies, crashes or ends on request. It refuses to start while the file `workerData.refused` exists. */
const MODULE = `
  import { existsSync } from 'node:fs';
  import { parentPort, threadId, workerData } from 'node:worker_threads';
  if (existsSync(workerData.refused)) {
    parentPort.postMessage({ kind: 'unready', failure: 'it is refused' });
  } else {
    parentPort.on('message', ({ kind }) => {
      if (kind === 'crash') throw new Error('it crashed');
      if (kind === 'close') parentPort.close();
      else parentPort.postMessage({ kind: 'echoed', thread: threadId });
    });
    parentPort.postMessage({ kind: 'ready' });
  }
`;

describe('WorkerHost', () => {
  let directory: string;
  let refused: string;
  let ready: number;
  let replies: Reply[];
  let exits: WorkerExit[];

  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'worker-host-'));
    refused = join(directory, 'refused');
    writeFileSync(join(directory, 'worker.mjs'), MODULE);
    [ready, replies, exits] = [0, [], []];
  });
  afterEach(() => rmSync(directory, { recursive: true }));

  const options = (file = 'worker.mjs'): WorkerHostOptions<Reply, string> => ({
    name: 'the worker',
    file: pathToFileURL(join(directory, file)),
    workerData: { refused },
    firstPauseMs: 5,
    longestPauseMs: 20,
    onReady: () => (ready += 1),
    onReply: (reply) => replies.push(reply),
    onExit: (exit) => exits.push(exit),
    startError: (failure) => new Error(`not started: ${failure}`),
  });
  const start = (): Promise<WorkerHost<Request, Reply>> => WorkerHost.start<Request, Reply>(options());

  const eventually = async (isTrue: () => boolean): Promise<void> => {
    const until = performance.now() + 5_000;
    while (!isTrue() && performance.now() < until) await new Promise((resume) => setTimeout(resume, 5));
    expect(isTrue()).toBe(true);
  };

  it('sends requests and receives replies', async () => {
    const host = await start();
    host.post({ kind: 'echo' });
    await eventually(() => replies.length === 1);
    await host.stop({ kind: 'close' });
    expect(exits).toHaveLength(1);
  });

  it('rejects the start if the module is missing', async () => {
    await expect(WorkerHost.start(options('missing.mjs'))).rejects.toMatchObject({
      message: expect.stringMatching(/missing\.mjs is missing: build it first/) as string,
    });
  });

  it('rejects the start of a thread that ends before it is ready', async () => {
    writeFileSync(join(directory, 'worker.mjs'), `throw new Error('no such device');`);
    const error: unknown = await start().catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(WorkerStartError);
    expect(error).toMatchObject({ message: 'the worker did not start: no such device' });
    expect(exits).toEqual([{ reason: 'no such device', wasReady: false }]);
  });

  it('rejects with the reason of a worker that refuses its first start, and starts no other', async () => {
    writeFileSync(refused, '');
    await expect(start()).rejects.toMatchObject({ message: 'not started: it is refused' });
    rmSync(refused);
    await new Promise((resume) => setTimeout(resume, 50));
    expect(ready).toBe(0);
  });

  it('restarts a thread that died, and reports both to its owner', async () => {
    const host = await start();
    host.post({ kind: 'crash' });
    await eventually(() => ready === 2);
    expect(exits).toEqual([{ reason: 'it crashed', wasReady: true }]);
    host.post({ kind: 'echo' });
    await eventually(() => replies.length === 1);
    await host.stop({ kind: 'close' });
  });

  it('repeats a restart that fails, and reports why the worker refused it', async () => {
    const host = await start();
    writeFileSync(refused, '');
    host.post({ kind: 'crash' });
    await eventually(() => exits.filter(({ wasReady }) => !wasReady).length >= 3);
    expect(exits.at(-1)?.reason).toBe('not started: it is refused');
    expect(host.isReady).toBe(false);
    rmSync(refused);
    await eventually(() => host.isReady);
    await host.stop({ kind: 'close' });
  });

  it('does not restart the thread after a stop', async () => {
    const host = await start();
    await host.stop({ kind: 'close' });
    await new Promise((resume) => setTimeout(resume, 50));
    expect([ready, exits.length, host.isReady, host.isRunning]).toEqual([1, 1, false, false]);
  });
});
