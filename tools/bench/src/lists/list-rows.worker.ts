import type { ProjectionName } from '@tillstream/read-models';
import { fillList } from '@tillstream/read-models-sqlite/testing';

/* A process that fills lists with many rows. */

const [directory = '', count = '0', names = ''] = process.argv.slice(2);
for (const list of names.split(',')) fillList(directory, list as ProjectionName, Number(count));
process.send?.('filled', () => process.disconnect());
