import { openDatabase } from '@tillstream/sqlite-driver';
import { NothingExecuted } from '../sandbox.errors.js';
import { SandboxDatabase } from './sandbox.database.js';
import { reactionSummary, SandboxFixture, START } from '../sandbox.fixture.js';

let fixture: SandboxFixture;
let database: SandboxDatabase;
beforeEach(() => {
  fixture = new SandboxFixture();
  database = new SandboxDatabase(fixture.file);
  database.sqlite.exec('CREATE TABLE parent (id INTEGER PRIMARY KEY)');
  database.sqlite.exec('CREATE TABLE child (parent INTEGER REFERENCES parent DEFERRABLE INITIALLY DEFERRED)');
});
afterEach(() => {
  database.close();
  fixture.remove();
});

it('The sandbox ledger opens without a lock if its schema is complete', () => {
  const open = () => new SandboxDatabase(fixture.file).close();
  expect(() => database.transaction(open)).not.toThrow();
});

describe('A transaction of the sandbox ledger', () => {
  it('that fails before its commit writes nothing, and throws `NothingExecuted`', () => {
    const work = () => {
      database.sqlite.exec('INSERT INTO parent VALUES (1)');
      throw new Error('before the commit');
    };
    expect(() => database.transaction(work)).toThrow(NothingExecuted);
    expect(database.sqlite.prepare('SELECT * FROM parent').all()).toEqual([]);
  });

  it('on a full disk throws `NothingExecuted`', () => {
    const pages = database.sqlite.pragma('page_count', { simple: true }) as number;
    database.sqlite.pragma(`max_page_count = ${pages}`);
    const work = () => database.sqlite.exec('CREATE TABLE more AS SELECT zeroblob(100000)');
    expect(() => database.transaction(work)).toThrow(NothingExecuted);
  });

  it('whose commit fails throws the error of the commit, and the next one works', () => {
    // A deferred constraint makes the commit fail.
    const work = () => database.sqlite.exec('INSERT INTO child VALUES (7)');
    expect(() => database.transaction(work)).toThrow('FOREIGN KEY');
    expect(() => database.transaction(work)).not.toThrow(NothingExecuted);
  });
});

describe('Several calls in one transaction', () => {
  const insert = (id: number) => database.sqlite.prepare('INSERT INTO parent VALUES (?)').run(id);
  const parents = () => database.sqlite.prepare('SELECT id FROM parent ORDER BY id').pluck().all();

  it('need one commit', () => {
    const other = new SandboxDatabase(fixture.file);
    const version = () => other.sqlite.pragma('data_version', { simple: true }) as number;
    const before = version();
    const calls = [1, 2, 3].map((id) => () => database.transaction(() => insert(id).changes));
    const fulfilled = { status: 'fulfilled', value: 1 };
    expect(database.runTogether(calls)).toEqual([fulfilled, fulfilled, fulfilled]);
    expect(version()).toBe(before + 1);
    other.close();
  });

  it('if one fails: only that one is rolled back, and is `NothingExecuted`', () => {
    const failing = () =>
      database.transaction(() => {
        insert(2);
        throw new Error('before the commit');
      });
    const results = database.runTogether([() => insert(1), failing, () => insert(3)]);
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(results[1]).toMatchObject({ reason: expect.any(NothingExecuted) as unknown });
    expect(parents()).toEqual([1, 3]);
  });

  it('on a full disk: every fulfilled call has its writes', () => {
    const pages = database.sqlite.pragma('page_count', { simple: true }) as number;
    database.sqlite.pragma(`max_page_count = ${pages}`);
    const tooMuch = () => database.sqlite.exec('CREATE TABLE more AS SELECT zeroblob(100000)');
    const results = database.runTogether<unknown>([() => insert(1), tooMuch, () => insert(3)]);
    expect(results[1]).toMatchObject({ reason: expect.any(NothingExecuted) as unknown });
    const done = [1, 2, 3].filter((_, index) => results[index]?.status === 'fulfilled');
    expect(parents()).toEqual(done);
  });

  it('if none can begin: all are `NothingExecuted`', () => {
    const other = new SandboxDatabase(fixture.file);
    database.sqlite.pragma('busy_timeout = 1');
    other.transaction(() => {
      for (const { status, ...result } of database.runTogether([() => insert(1), () => insert(2)])) {
        expect(status).toBe('rejected');
        expect(result).toMatchObject({ reason: expect.any(NothingExecuted) as unknown });
      }
    });
    other.close();
  });

  it('if the commit fails: all have its error', () => {
    const orphan = () => database.sqlite.exec('INSERT INTO child VALUES (7)');
    for (const result of database.runTogether<unknown>([() => insert(1), orphan])) {
      expect(result).toMatchObject({
        status: 'rejected',
        reason: { code: 'SQLITE_CONSTRAINT_FOREIGNKEY' },
      });
    }
    expect(parents()).toEqual([]);
  });
});

describe('A ledger from before verifications', () => {
  const key = 'trx_OLD00.1';
  const answer = {
    outcome: 'Approved',
    approvedAmount: 1_000,
    hostCode: '00',
    hostText: 'APPROVED',
    gatewayTransactionId: 'sbx_OLD00.1',
  };
  beforeEach(() => {
    database.close();
    fixture.remove();
    fixture = new SandboxFixture();
    const raw = openDatabase(fixture.file);
    raw.exec(FIRST_SCHEMA);
    raw
      .prepare(
        `INSERT INTO operation (key, state, operation, merchant, currency, amount, channel, root, answer, received_at)
         VALUES (?, 'Done', 'Sale', 'mer_1', 'USD', 1000, 'CardPresent', ?, ?, ${START})`,
      )
      .run(key, key, JSON.stringify(answer));
    raw
      .prepare(`INSERT INTO movement VALUES (?, 'Captured', ?, NULL, 'mer_1', 'USD', 1000, ${START})`)
      .run(key, key);
    raw.close();
  });

  it('opens with its keys, and accepts follow-ups of them', () => {
    const sandbox = fixture.open();
    expect(sandbox.acquirer.inquire(key)).toEqual({ kind: 'Found', answer });
    expect(reactionSummary(sandbox.acquirer.execute(fixture.followUp('Refund', key, 400)))).toBe(
      'Approved 00 400',
    );
    expect(sandbox.ledger.net(key)).toMatchObject({ captured: 1_000, refunded: 400 });
  });

  it('accepts verifications, in every process that has it open', () => {
    const [first, second] = [fixture.open(), fixture.open()];
    const request = fixture.terminal(0, { operation: 'Verify' });
    first.acquirer.execute(request);
    expect(second.acquirer.inquire(request.key)).toMatchObject({
      credential: { number: '4242424242424242', expDate: '1234' },
    });
  });
});

/** The schema of the first files. It never changes. */
const FIRST_SCHEMA = `
  CREATE TABLE operation (
    key TEXT PRIMARY KEY, state TEXT NOT NULL, operation TEXT, merchant TEXT, currency TEXT, amount INTEGER, channel TEXT,
    original TEXT, root TEXT, terminal TEXT, answer TEXT, silent INTEGER NOT NULL DEFAULT 0,
    failing_inquiries INTEGER NOT NULL DEFAULT 0, batch_closed INTEGER NOT NULL DEFAULT 0, received_at INTEGER NOT NULL,
    due_at INTEGER
  ) WITHOUT ROWID;
  CREATE INDEX operation_due ON operation (due_at) WHERE due_at IS NOT NULL;
  CREATE TABLE movement (
    key TEXT PRIMARY KEY, kind TEXT NOT NULL, root TEXT NOT NULL, original TEXT, merchant TEXT NOT NULL,
    currency TEXT NOT NULL, amount INTEGER NOT NULL CHECK (amount > 0), at INTEGER NOT NULL
  ) WITHOUT ROWID;
`;
