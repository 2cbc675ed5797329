import { PostgresServer } from '@tillstream/postgres-driver/testing';
import { readModelsContract } from '@tillstream/read-models/testing/contract';
import { ListsPlace } from './lists-place.fixture.js';

let server: PostgresServer;
beforeAll(async () => {
  server = await PostgresServer.start();
});
afterAll(() => server.stop());

readModelsContract('PostgreSQL', () => new ListsPlace(() => server));
