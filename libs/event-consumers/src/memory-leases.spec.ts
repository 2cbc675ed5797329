import { MemoryLeases } from './memory-leases.js';
import { leasesContract } from './testing/index.js';

leasesContract('memory', () => {
  const first = new MemoryLeases();
  return { holder: () => first.otherHolder(), close: () => undefined };
});
