import { serveProjector } from '@tillstream/read-models-sqlite';
import { openEventStoreAt } from './stores/store.address.js';

/* A thread of the service that projects the lists. It reads the events on its own connection. */

await serveProjector((address) => openEventStoreAt(String(address), { readOnly: true }));
