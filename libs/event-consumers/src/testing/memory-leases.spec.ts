import { leasesContract } from './leases.contract.js';
import { MemoryLeases } from './memory-leases.js';

leasesContract('memory', () => {
  const first = new MemoryLeases();
  return { holder: () => first.otherHolder(), close: () => undefined };
});
