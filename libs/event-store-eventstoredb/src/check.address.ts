import { EventStoreError } from '@tillstream/event-store';
import { readServerSettings } from './connection/server.settings.js';

/**
 * What is wrong with the address of an EventStoreDB, in one sentence without user and password; undefined: nothing.
 * Reads the files that it names, does not ask the server.
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
