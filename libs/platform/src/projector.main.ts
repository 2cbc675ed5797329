import { serveProjector } from '@tillstream/read-models-sqlite';
import { openEventStoreAt } from './stores/store.address.js';

/* A thread of the service: keeps the lists up to date from the events, which it reads on a connection of its own. */

await serveProjector((address) => openEventStoreAt(String(address), { readOnly: true }));
