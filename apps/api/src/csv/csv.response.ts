import { pipeline } from 'node:stream/promises';
import type { ListPage } from '@tillstream/contracts';
import type { ApiRequest, ApiResponse } from '../http/api.request.js';
import { JsonPage } from '../http/json.page.js';
import type { Column } from './csv.columns.js';
import { csvParts } from './csv.format.js';

const JSON_TYPE = 'application/json; charset=utf-8';
const CSV_TYPE = 'text/csv; charset=utf-8; header=present';

/** Chooses the form of a list: the first is the one of a client that accepts both alike. */
export function prefersCsv(request: ApiRequest): boolean {
  return request.accepts([JSON_TYPE, CSV_TYPE]) === CSV_TYPE;
}

/**
 * Sends a page as CSV, part by part. What the JSON has beside the items is in headers (`docs/spec/lists.md#csv`).
 *
 * @throws before anything is sent, where a stored item can't be read; later, after it has closed the connection
 */
export async function sendCsv(
  response: ApiResponse,
  columns: readonly Column[],
  page: ListPage<unknown> | JsonPage,
): Promise<void> {
  if (response.headersSent || response.destroyed) return;
  const [items, rest] = page instanceof JsonPage ? [page.items, page.rest] : [page.data, page];
  response.writeHead(200, {
    'content-type': CSV_TYPE,
    'cache-control': 'no-store',
    ...(rest.nextCursor !== null && { 'x-next-cursor': rest.nextCursor }),
    ...(rest.total !== undefined && { 'x-total-count': rest.total }),
    ...(rest.totalIsAtLeast === true && { 'x-total-is-at-least': 'true' }),
  });
  try {
    await pipeline(csvParts(columns, items), response);
  } catch (error) {
    // The client is gone.
    if ((error as NodeJS.ErrnoException).code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error;
  }
}
