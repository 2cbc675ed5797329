import { parentPort, workerData } from 'node:worker_threads';
import { GenerationFile } from '../tables/generation.file.js';
import { tableShape } from '@tillstream/read-models';
import { parseRows } from '../writer/row.wire.js';
import type { BulkData, BulkReply, BulkRequest } from './bulk.load.js';

/** Fills a new generation: a message for each page of rows, and at last its indexes, which take seconds. */
function start(port: NonNullable<typeof parentPort>): void {
  const { file, projection } = workerData as BulkData;
  const reply = (message: BulkReply): void => port.postMessage(message);
  const generation = GenerationFile.create(file, tableShape(projection), { bulk: true });
  port.on('message', (request: BulkRequest) => {
    if (request.kind === 'rows') {
      const rows = parseRows(request.rows).get(projection) ?? [];
      generation.transaction(() => generation.writeBulk(rows));
      return reply({ kind: 'written' });
    }
    const { step } = request;
    if (step) generation.transaction(() => generation.advance(undefined, step));
    generation.finishBulk(() => reply({ kind: 'indexed' }));
    generation.close();
    reply({ kind: 'finished' });
    port.close();
  });
}

if (parentPort !== null) start(parentPort);
