import { parentPort, workerData } from 'node:worker_threads';
import type { RowsByProjection } from '@tillstream/read-models';
import type { WorkerStart } from '@tillstream/runtime';
import type { DamagedFileMove } from '../damage/damaged-file.js';
import { errorMessage } from '../error.message.js';
import { RowWriter } from './row.writer.js';

export interface WriterData {
  readonly directory: string;
}

export type WriterRequest =
  { readonly kind: 'rows'; readonly rows: RowsByProjection } | { readonly kind: 'close' };

export type WriterReply =
  | { readonly kind: 'set-aside'; readonly move: DamagedFileMove }
  /** Of the last request; one line for each projection whose rows could not be written. */
  | { readonly kind: 'written'; readonly failures: readonly string[] };

/** The writer's thread: writes one group of rows for each message. */
function start(port: NonNullable<typeof parentPort>): void {
  const reply = (message: WriterReply | WorkerStart<string>): void => port.postMessage(message);
  let writer: RowWriter;
  try {
    const { directory } = workerData as WriterData;
    writer = new RowWriter(directory, (move) => reply({ kind: 'set-aside', move }));
  } catch (error) {
    reply({ kind: 'unready', failure: errorMessage(error) });
    return;
  }
  port.on('message', (request: WriterRequest) => {
    if (request.kind === 'rows') return reply({ kind: 'written', failures: writer.write(request.rows) });
    writer.close();
    port.close();
  });
  reply({ kind: 'ready' });
}

if (parentPort !== null) start(parentPort);
