import { parentPort, workerData } from 'node:worker_threads';
import type { ReadModelsLog, RowSet } from '@tillstream/read-models';
import { errorMessage } from '@tillstream/runtime';
import type { WorkerStart } from '@tillstream/runtime';
import { RowWriter, type WrittenSets } from './row.writer.js';

export interface WriterData {
  readonly directory: string;
}

export type WriterRequest =
  { readonly kind: 'rows'; readonly sets: readonly RowSet[] } | { readonly kind: 'close' };

export type WriterReply =
  | { readonly kind: 'warn'; readonly entry: Parameters<ReadModelsLog['warn']> }
  /** Of the last request. */
  | ({ readonly kind: 'written' } & WrittenSets);

/** The writer's thread: writes one group of rows for each message. */
function start(port: NonNullable<typeof parentPort>): void {
  const reply = (message: WriterReply | WorkerStart<string>): void => port.postMessage(message);
  let writer: RowWriter;
  try {
    const { directory } = workerData as WriterData;
    writer = new RowWriter(directory, { warn: (...entry) => reply({ kind: 'warn', entry }) });
  } catch (error) {
    reply({ kind: 'unready', failure: errorMessage(error) });
    return;
  }
  port.on('message', (request: WriterRequest) => {
    if (request.kind === 'rows') return reply({ kind: 'written', ...writer.write(request.sets) });
    writer.close();
    port.close();
  });
  reply({ kind: 'ready' });
}

if (parentPort !== null) start(parentPort);
