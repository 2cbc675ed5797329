import type { WorkerStart } from '@tillstream/runtime';
import { parentPort, workerData } from 'node:worker_threads';
import { GroupWriter } from './group-writer.js';
import { cannotOpenError } from '../sqlite.faults.js';
import type { WriterFailure, WriterOptions, WriterReply, WriterRequest } from './writer.messages.js';

/** The writer's thread. It opens the file, then commits one group per message. */
function start(port: NonNullable<typeof parentPort>): void {
  const reply = (message: WriterReply | WorkerStart<WriterFailure>): void => port.postMessage(message);
  let writer: GroupWriter;
  try {
    writer = new GroupWriter(workerData as WriterOptions);
  } catch (error) {
    const { code, message } = cannotOpenError(error, (workerData as WriterOptions).file);
    reply({ kind: 'unready', failure: { kind: 'Failed', code, message } });
    return;
  }
  port.on('message', (request: WriterRequest) => {
    switch (request.kind) {
      case 'group': {
        const results = writer.commit(request.units);
        reply({ kind: 'group', results, commitMs: writer.commitMs });
        return writer.checkpointIfDue();
      }
      case 'migrate': {
        const failure = writer.migrate(request.migration);
        return reply(failure === undefined ? { kind: 'migrate' } : { kind: 'migrate', failure });
      }
      case 'close':
        writer.close();
        return port.close();
    }
  });
  reply({ kind: 'ready' });
}

if (parentPort !== null) start(parentPort);
