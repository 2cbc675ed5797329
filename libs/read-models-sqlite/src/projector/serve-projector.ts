import type { EventStore } from '@tillstream/event-store';
import { parentPort, workerData } from 'node:worker_threads';
import { type RebuildProgress, RebuildRefused } from '@tillstream/read-models';
import { Projector, errorMessage } from './projector.js';
import type { ProjectorData, ProjectorReply, ProjectorRequest } from './projector.messages.js';
import { lowerThreadPriority } from './thread.priority.js';

/**
 * The whole of a projector's thread: the module that `ProjectorThread.file` names calls it, and nothing else. `open` is
 * given `ProjectorThread.store` and opens the store anew, to be read only.
 */
export async function serveProjector(open: (store: unknown) => Promise<EventStore>): Promise<void> {
  const port = parentPort;
  if (!port) throw new Error('a projector is served in a worker thread');
  lowerThreadPriority();
  const reply = (message: ProjectorReply): void => port.postMessage(message);
  const { directory, store: place, source, pageSize } = workerData as ProjectorData;
  const store = await open(place);
  const log = {
    info: (event: string, fields: Readonly<Record<string, unknown>>) =>
      reply({ kind: 'log', level: 'info', event, fields }),
    warn: (event: string, fields: Readonly<Record<string, unknown>>) =>
      reply({ kind: 'log', level: 'warn', event, fields }),
    failed: (event: string, fields: Readonly<Record<string, unknown>>) =>
      reply({ kind: 'log', level: 'failed', event, fields }),
  };
  const projector = new Projector({ directory, store, source, log, pageSize });
  const aborts = new Map<number, AbortController>();
  const rebuild = async (id: number, projection: (ProjectorRequest & { kind: 'rebuild' })['projection']) => {
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

const PROGRESS_INTERVAL_MS = 100;

function throttled<T>(tell: (value: T) => void): (value: T) => void {
  let told = -Infinity;
  return (value) => {
    const now = performance.now();
    if (now < told + PROGRESS_INTERVAL_MS) return;
    told = now;
    tell(value);
  };
}
