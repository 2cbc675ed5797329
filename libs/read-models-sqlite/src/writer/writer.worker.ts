import { parentPort, workerData } from 'node:worker_threads';
import { RowWriter } from './row.writer.js';
import { parseRows, type WriterReply, type WriterRequest } from './row.wire.js';

/** The writer's thread: one group of rows for each message. */
function start(port: NonNullable<typeof parentPort>): void {
  const reply = (message: WriterReply): void => port.postMessage(message);
  let writer: RowWriter;
  try {
    const { directory } = workerData as { readonly directory: string };
    writer = new RowWriter(directory, (what) => reply({ kind: 'set-aside', what }));
  } catch (error) {
    reply({ kind: 'unready', reason: error instanceof Error ? error.message : String(error) });
    return;
  }
  port.on('message', (request: WriterRequest) => {
    if (request.kind === 'rows')
      return reply({ kind: 'written', failures: writer.write(parseRows(request.rows)) });
    writer.close();
    port.close();
  });
  reply({ kind: 'ready' });
}

if (parentPort !== null) start(parentPort);
