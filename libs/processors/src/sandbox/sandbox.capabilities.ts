import type { Channel } from '@tillstream/domain';
import type { ProcessorCapabilities } from '../processor.port.js';

/** The slowest execution of the simulated acquirer (amount 920005). */
const EXECUTION_MS_MAX = 5_000;

export function sandboxCapabilities(channel: Channel): ProcessorCapabilities {
  const isBank = channel === 'Ach' || channel === 'Eft';
  return { annul: true, idempotentKeys: true, inFlightWindowMs: EXECUTION_MS_MAX, partialApproval: !isBank };
}
