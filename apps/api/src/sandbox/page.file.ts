import { notFound } from '../http/api.error.js';
import type { ApiResponse } from '../http/api.request.js';

/**
 * Sends a file of a page.
 *
 * @param folder holds nothing but the files of the page
 * @throws ApiError 404 where there is no such file
 */
export async function sendPageFile(response: ApiResponse, folder: string, name: string): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    response.sendFile(name, { root: folder }, (error?: Error) => {
      if (error && !response.headersSent) reject(notFound('There is no such file.'));
      else resolve();
    });
  });
}
