import type { Channel } from '@tillstream/domain';
import type { ProcessorCapabilities } from '../processor.port.js';

/** The slowest thing the simulated acquirer does by itself (amount 920005), ms. */
const EXECUTION_MS_MAX = 5_000;

/** Of the simulated acquirer, in process and over a network. */
export function sandboxCapabilities(channel: Channel): ProcessorCapabilities {
  const isBank = channel === 'Ach' || channel === 'Eft';
  return { annul: true, idempotentKeys: true, inFlightWindowMs: EXECUTION_MS_MAX, partialApproval: !isBank };
}
