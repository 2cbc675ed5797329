import type { Bench } from '../bench.types.js';
import { USUAL_SETTINGS_TEXT } from '../services/http.services.js';
import { closingFigures } from './closing.js';
import { lagFigures } from './lag.js';
import { rebuildFigures } from './rebuild.js';

export const settlementsBench: Bench = {
  name: 'settlements',
  title: 'Settlements',
  method:
    `Rebuild: a history of sales that batches took, with their settlements, is read and rebuilt by processes of their own in ` +
    `turn; the quotients are of the times. The API runs with the settings of \`npm start\` (${USUAL_SETTINGS_TEXT}). Lag: sales ` +
    `with stored cards in an open loop of 500 a second, another merchant makes two sales at a time, whose batch an operator ` +
    `closes, and looks at each list again and again. Closing: 100,000 payments of one merchant wait in the file; the demo merchant sells ` +
    `with stored cards on 50 connections, for some seconds in an open loop with half of its best rate and for some seconds ` +
    `back to back, in turn, before, during and after the closing of the other merchant's batch.`,
  comparison: 'The ratios of sales compare the service with itself.',
  run: async (context) => [
    ...(await rebuildFigures(context)),
    ...(await lagFigures(context)),
    ...(await closingFigures(context)),
  ],
};
