import { parentPort, workerData } from 'node:worker_threads';
import { errorMessage } from '../error.message.js';
import { RowWriter } from './row.writer.js';
import type { WriterData, WriterMessage, WriterRequest } from './writer.messages.js';

/** The writer's thread: writes one group of rows for each message. */
function start(port: NonNullable<typeof parentPort>): void {
  const reply = (message: WriterMessage): void => port.postMessage(message);
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
