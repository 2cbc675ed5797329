import type { EventStore } from '@tillstream/event-store';
import { parentPort, workerData } from 'node:worker_threads';
import {
  RebuildRefused,
  type ProjectionName,
  type ReadModelsLog,
  type RebuildProgress,
  type RebuildResult,
  type RunningRebuild,
} from '@tillstream/read-models';
import { errorMessage, lowerThreadPriority } from '@tillstream/runtime';
import type { WorkerStart } from '@tillstream/runtime';
import { Projector, type ProjectorOptions } from './projector.js';

const PROGRESS_INTERVAL_MS = 100;

type LogEntry = Parameters<ReadModelsLog['info']>;

export interface ProjectorData extends Pick<ProjectorOptions, 'directory' | 'source' | 'pageSize'> {
  readonly store: unknown;
}

export type ProjectorRequest =
  | { readonly kind: 'rebuild'; readonly id: number; readonly projection: ProjectionName }
  | { readonly kind: 'abort'; readonly id: number }
  | { readonly kind: 'stop' };

export type ProjectorReply =
  | { readonly kind: 'log'; readonly level: keyof ReadModelsLog; readonly entry: LogEntry }
  | { readonly kind: 'progress'; readonly id: number; readonly progress: RebuildProgress }
  | { readonly kind: 'running'; readonly rebuilds: readonly RunningRebuild[] }
  | { readonly kind: 'rebuilt'; readonly id: number; readonly result: RebuildResult }
  | { readonly kind: 'not-rebuilt'; readonly id: number; readonly refused: boolean; readonly reason: string };

/**
 * Runs a projector in this thread. The module that `ProjectorThread.file` names does nothing but call it. `open` receives
 * `ProjectorThread.store` and opens the store for reading.
 */
export async function serveProjector(open: (store: unknown) => Promise<EventStore>): Promise<void> {
  const port = parentPort;
  if (!port) throw new Error('a projector is served in a worker thread');
  lowerThreadPriority('Tenth');
  const reply = (message: ProjectorReply | WorkerStart<never>): void => port.postMessage(message);
  const { directory, store: storeOptions, source, pageSize } = workerData as ProjectorData;
  const store = await open(storeOptions);
  const logAs =
    (level: keyof ReadModelsLog) =>
    (...entry: LogEntry): void =>
      reply({ kind: 'log', level, entry });
  const log = { info: logAs('info'), warn: logAs('warn'), failed: logAs('failed') };
  const onRebuilds = (rebuilds: readonly RunningRebuild[]): void => reply({ kind: 'running', rebuilds });
  const projector = new Projector({ directory, store, source, log, pageSize, onRebuilds });
  const aborts = new Map<number, AbortController>();
  const rebuild = async (id: number, projection: ProjectionName): Promise<void> => {
    const abort = new AbortController();
    aborts.set(id, abort);
    try {
      const onProgress = throttled<RebuildProgress>((progress) => reply({ kind: 'progress', id, progress }));
      const result = await projector.rebuild(projection, { onProgress, signal: abort.signal });
      reply({ kind: 'rebuilt', id, result });
    } catch (error) {
      const refused = error instanceof RebuildRefused;
      reply({ kind: 'not-rebuilt', id, refused, reason: refused ? error.reason : errorMessage(error) });
    } finally {
      aborts.delete(id);
    }
  };
  port.on('message', (request: ProjectorRequest) => {
    if (request.kind === 'rebuild') void rebuild(request.id, request.projection);
    else if (request.kind === 'abort') aborts.get(request.id)?.abort();
    else {
      void projector
        .stop()
        .then(() => store.close())
        .finally(() => port.close());
    }
  });
  projector.start();
  reply({ kind: 'ready' });
}

function throttled<T>(send: (value: T) => void): (value: T) => void {
  let sentAt = -Infinity;
  return (value) => {
    const now = performance.now();
    if (now < sentAt + PROGRESS_INTERVAL_MS) return;
    sentAt = now;
    send(value);
  };
}
