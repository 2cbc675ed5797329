import type { EventStore } from '@tillstream/event-store';
import { parentPort, workerData } from 'node:worker_threads';
import { type ProjectionName, type RebuildProgress, RebuildRefused } from '@tillstream/read-models';
import { errorMessage } from '../error.message.js';
import { Projector } from './projector.js';
import type {
  ProjectorData,
  ProjectorMessage,
  ProjectorReply,
  ProjectorRequest,
} from './projector.messages.js';
import { lowerThreadPriority } from './thread.priority.js';

const PROGRESS_INTERVAL_MS = 100;

/**
 * Runs a projector in this thread. The module that `ProjectorThread.file` names does nothing but call it. `open` receives
 * `ProjectorThread.store` and opens the store for reading.
 */
export async function serveProjector(open: (store: unknown) => Promise<EventStore>): Promise<void> {
  const port = parentPort;
  if (!port) throw new Error('a projector is served in a worker thread');
  lowerThreadPriority();
  const reply = (message: ProjectorMessage): void => port.postMessage(message);
  const { directory, store: storeOptions, source, pageSize } = workerData as ProjectorData;
  const store = await open(storeOptions);
  type Level = (ProjectorReply & { kind: 'log' })['level'];
  const logAs =
    (level: Level) =>
    (event: string, fields: Readonly<Record<string, unknown>>): void =>
      reply({ kind: 'log', level, event, fields });
  const log = { info: logAs('info'), warn: logAs('warn'), failed: logAs('failed') };
  const projector = new Projector({ directory, store, source, log, pageSize });
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
