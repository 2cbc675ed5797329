import { readDailyFile, type DailyRow } from '@tillstream/sandbox';
import { toDefiniteResponse } from '../sandbox/sandbox-response.mapping.js';
import type { ProcessorRecord, ProcessorRecords } from './processor.record.js';

/**
 * Reads the daily file of a sandbox.
 * @throws DailyFileError if the file is not in this form, `records` also if it is cut off
 */
export async function sandboxRecords(lines: AsyncIterable<string>): Promise<ProcessorRecords> {
  const { from, to, rows } = await readDailyFile(lines);
  return {
    from,
    to,
    async *records() {
      for await (const row of rows()) yield recordOf(row);
    },
  };
}

function recordOf(row: DailyRow): ProcessorRecord {
  const { key, merchantId, currency, at, amount } = row;
  const base = { merchantId, currency, at };
  if (row.kind === 'Return') {
    const { originalKey, code, reason } = row;
    return { kind: 'Return', ...base, returnId: key, originalKey, amount, code, reason };
  }
  const { operation, account = '', channel, originalKey, terminalId, answer } = row;
  if (operation === 'Verify') {
    return { kind: 'Verification', ...base, key, isApproved: answer.outcome === 'Approved' };
  }
  return {
    kind: 'Attempt',
    ...base,
    ...{ key, executedAs: operation, account, channel, amount, answer: toDefiniteResponse({ answer }) },
    ...(originalKey !== undefined && { originalKey }),
    ...(terminalId !== undefined && { terminalId }),
  };
}
