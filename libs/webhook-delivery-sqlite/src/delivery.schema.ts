/** In `user_version`. Tables of a version without `MIGRATIONS` to this one are made again from history. */
export const SCHEMA_VERSION = 4;

/** By the version that they change into the next one: so nothing that was delivered is sent again. */
export const MIGRATIONS: ReadonlyMap<number, string> = new Map([
  [1, 'ALTER TABLE endpoints ADD COLUMN exhausted INTEGER NOT NULL DEFAULT 0'],
  [2, 'DROP INDEX claims_of_endpoint; DROP INDEX claims_until'],
  [3, 'ALTER TABLE claims ADD COLUMN replayed_at INTEGER'],
]);

/*
 * Times are ms since 1970. `enabled_at` is the endpoint's `enabledAt`, 0 if it was never enabled: only deliveries with their
 * endpoint's own value are due. Numbers grow in the order of history, for each endpoint as `hook_sequence` does.
 * `endpoints.next_due_at` is that of the endpoint's first due delivery that is not claimed, so that a look for work never
 * reads the backlog. `endpoints.exhausted`: since `failing_since` the attempts of a delivery ended. `claims` has the deliveries in
 * flight only, some hundreds of each process, so it is read as a whole: an index would have to be written for each delivery.
 * `claims.replayed_at`: when a replay was asked for during the attempt.
 */
export const SCHEMA = `
CREATE TABLE progress (
  one INTEGER PRIMARY KEY CHECK (one = 1),
  source TEXT NOT NULL,
  position TEXT, last_stream TEXT, last_revision INTEGER, last_position TEXT
);
CREATE TABLE merchants (merchant_id TEXT PRIMARY KEY, sequence INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE endpoints (
  number INTEGER PRIMARY KEY,
  endpoint_id TEXT NOT NULL UNIQUE,
  merchant_id TEXT NOT NULL,
  endpoint TEXT NOT NULL,
  enabled INTEGER NOT NULL,
  enabled_at INTEGER NOT NULL,
  hook_sequence INTEGER NOT NULL DEFAULT 0,
  last_due_at INTEGER NOT NULL DEFAULT 0,
  next_due_at INTEGER,
  failing_since INTEGER,
  removed INTEGER NOT NULL DEFAULT 0,
  exhausted INTEGER NOT NULL DEFAULT 0
);
CREATE INDEX endpoints_of_merchant ON endpoints (merchant_id, number) WHERE removed = 0;
CREATE INDEX endpoints_due ON endpoints (next_due_at, number) WHERE enabled = 1 AND next_due_at IS NOT NULL;
CREATE INDEX endpoints_removed ON endpoints (number) WHERE removed = 1;
CREATE TABLE events (
  number INTEGER PRIMARY KEY,
  event_id TEXT NOT NULL UNIQUE,
  type TEXT NOT NULL
);
CREATE TABLE bodies (event INTEGER PRIMARY KEY, at INTEGER NOT NULL, body BLOB NOT NULL);
CREATE INDEX bodies_at ON bodies (at);
CREATE TABLE deliveries (
  number INTEGER PRIMARY KEY,
  delivery_id TEXT NOT NULL UNIQUE,
  endpoint INTEGER NOT NULL,
  event INTEGER NOT NULL,
  hook_id TEXT NOT NULL,
  hook_sequence INTEGER,
  type TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  enabled_at INTEGER NOT NULL,
  status INTEGER NOT NULL,
  due_at INTEGER,
  attempts INTEGER NOT NULL DEFAULT 0,
  replay_of INTEGER
);
CREATE INDEX deliveries_due ON deliveries (endpoint, enabled_at, due_at, number) WHERE due_at IS NOT NULL;
CREATE INDEX deliveries_listed ON deliveries (endpoint, created_at, number);
CREATE INDEX deliveries_of_status ON deliveries (endpoint, status, created_at, number);
CREATE INDEX deliveries_of_type ON deliveries (endpoint, type, status, created_at, number);
CREATE INDEX deliveries_of_event ON deliveries (event, endpoint);
CREATE TABLE attempts (
  delivery INTEGER NOT NULL,
  number INTEGER NOT NULL,
  at INTEGER NOT NULL,
  status INTEGER,
  duration_ms INTEGER NOT NULL,
  answer BLOB,
  error TEXT,
  PRIMARY KEY (delivery, number)
) WITHOUT ROWID;
CREATE TABLE claims (
  delivery INTEGER PRIMARY KEY,
  endpoint INTEGER NOT NULL,
  token TEXT NOT NULL,
  until INTEGER NOT NULL,
  replayed_at INTEGER
);
`;
