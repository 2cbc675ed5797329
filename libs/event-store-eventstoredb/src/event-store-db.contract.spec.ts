import { eventStoreContract } from '@tillstream/event-store-testing';
import { eventStoreDbStores, serverUnderTest } from './event-store-db.stores.fixture.js';

eventStoreContract(serverUnderTest, eventStoreDbStores);
