import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { WorkerHost, type WorkerExit, type WorkerHostOptions } from './worker-host.js';

type Request = { readonly kind: 'echo' | 'crash' | 'close' };
type Reply = { readonly kind: 'echoed'; readonly thread: number };

/** Answers, dies and closes on request; starts only while the file `workerData.refused` is absent. */
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

  it('rejects where the module is not there', async () => {
    await expect(WorkerHost.start(options('missing.mjs'))).rejects.toMatchObject({
      message: expect.stringMatching(/missing\.mjs is missing: build it first/) as string,
    });
  });

  it('rejects with the reason of a worker that gives its first start up, and starts no other', async () => {
    writeFileSync(refused, '');
    await expect(start()).rejects.toMatchObject({ message: 'not started: it is refused' });
    rmSync(refused);
    await new Promise((resume) => setTimeout(resume, 50));
    expect(ready).toBe(0);
  });

  it('restarts a thread that died, and calls the owner at both', async () => {
    const host = await start();
    host.post({ kind: 'crash' });
    await eventually(() => ready === 2);
    expect(exits).toEqual([{ reason: 'it crashed', wasReady: true }]);
    host.post({ kind: 'echo' });
    await eventually(() => replies.length === 1);
    await host.stop({ kind: 'close' });
  });

  it('goes on starting it where a restart fails', async () => {
    const host = await start();
    writeFileSync(refused, '');
    host.post({ kind: 'crash' });
    await eventually(() => exits.filter(({ wasReady }) => !wasReady).length >= 3);
    expect(host.isReady).toBe(false);
    rmSync(refused);
    await eventually(() => host.isReady);
    await host.stop({ kind: 'close' });
  });

  it('starts it no more after a stop', async () => {
    const host = await start();
    await host.stop({ kind: 'close' });
    await new Promise((resume) => setTimeout(resume, 50));
    expect([ready, exits.length, host.isReady]).toEqual([1, 1, false]);
  });
});
