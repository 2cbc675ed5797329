import type { Bench } from './bench.types.js';
import { pageFigures } from './read-models.pages.js';
import { rebuildFigures } from './read-models.rebuild.js';

export const readModelsBench: Bench = {
  name: 'read-models',
  title: 'Lists, and making them anew',
  method:
    `Pages of 25 of one merchant's transactions, newest or highest first, are asked for one by one, in a small and in a ` +
    `large table in turn; each time is a lower quartile. A rebuild runs in a process of its own on a history of payments at ` +
    `terminals, and is compared with a process that only reads the same events.`,
  run: async (context) => [...(await pageFigures(context)), ...(await rebuildFigures(context))],
};
