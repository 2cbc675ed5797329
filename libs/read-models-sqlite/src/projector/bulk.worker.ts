import { parentPort, workerData } from 'node:worker_threads';
import { tableShape } from '@tillstream/read-models';
import { GenerationFile } from '../tables/generation.file.js';
import type { BulkData, BulkReply, BulkRequest } from './bulk.load.js';

/** Fills a new generation: writes one page of rows for each message, and creates its indexes at the end. */
function start(port: NonNullable<typeof parentPort>): void {
  const { file, projection } = workerData as BulkData;
  const reply = (message: BulkReply): void => port.postMessage(message);
  const generation = GenerationFile.createBulk(file, tableShape(projection));
  port.on('message', (request: BulkRequest) => {
    if ('rows' in request) {
      generation.writeBulk(request.rows);
      return reply('written');
    }
    if (request.finish) generation.writeStep(undefined, request.finish, []);
    generation.finishBulk(() => reply('indexed'));
    generation.close();
    reply('finished');
    port.close();
  });
}

if (parentPort !== null) start(parentPort);
