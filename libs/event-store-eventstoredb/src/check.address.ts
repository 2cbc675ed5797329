import { EventStoreError } from '@tillstream/event-store';
import { readServerSettings } from './connection/server.settings.js';

/**
 * The problem of an EventStoreDB address, in one sentence without user and password; undefined if there is none.
 * Reads the files that the address names, and does not call the server.
 */
export function checkEventStoreDbUrl(url: string): string | undefined {
  try {
    readServerSettings(url);
    return undefined;
  } catch (error) {
    if (error instanceof EventStoreError) return error.message;
    throw error;
  }
}
