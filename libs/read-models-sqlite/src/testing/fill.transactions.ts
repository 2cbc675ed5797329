import { tableShape } from '@tillstream/read-models';
import { manyTransactionsRow } from '@tillstream/read-models/testing';
import { ControlDatabase } from '../generations/control.database.js';
import { newHolder } from '../generations/sqlite.leases.js';
import { GenerationFile } from '../tables/generation.file.js';

const PER_TRANSACTION = 5_000;

/** Makes the live generation of `transactions` in a directory, with `count` rows of one merchant. */
export function fillTransactions(
  directory: string,
  count: number,
  onProgress: (rowsDone: number) => void,
): void {
  const shape = tableShape('transactions');
  const control = new ControlDatabase(directory);
  try {
    const generation = control.startBuilding(shape, newHolder());
    const file = GenerationFile.createBulk(control.fileOf(generation), shape);
    for (let from = 0; from < count; from += PER_TRANSACTION) {
      const rows = Array.from({ length: Math.min(PER_TRANSACTION, count - from) }, (_, index) =>
        manyTransactionsRow(from + index, count),
      );
      file.writeBulk(rows);
      onProgress(from + rows.length);
    }
    file.finishBulk(() => undefined);
    file.close();
    control.announce(generation);
    control.swap(generation);
  } finally {
    control.close();
  }
}
