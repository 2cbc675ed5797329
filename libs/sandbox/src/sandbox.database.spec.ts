import { NothingExecuted } from './sandbox.errors.js';
import { SandboxDatabase } from './sandbox.database.js';
import { SandboxFixture } from './sandbox.fixture.js';

let world: SandboxFixture;
let database: SandboxDatabase;
beforeEach(() => {
  world = new SandboxFixture();
  database = new SandboxDatabase(world.file);
  database.sqlite.exec('CREATE TABLE parent (id INTEGER PRIMARY KEY)');
  database.sqlite.exec('CREATE TABLE child (parent INTEGER REFERENCES parent DEFERRABLE INITIALLY DEFERRED)');
});
afterEach(() => {
  database.close();
  world.remove();
});

describe('A transaction of the sandbox ledger', () => {
  it('that fails on the way leaves nothing, and says that nothing was executed', () => {
    const work = () => {
      database.sqlite.exec('INSERT INTO parent VALUES (1)');
      throw new Error('on the way');
    };
    expect(() => database.transaction(work)).toThrow(NothingExecuted);
    expect(database.sqlite.prepare('SELECT * FROM parent').all()).toEqual([]);
  });

  it('on a full disk says that nothing was executed', () => {
    const pages = database.sqlite.pragma('page_count', { simple: true }) as number;
    database.sqlite.pragma(`max_page_count = ${pages}`);
    const work = () => database.sqlite.exec('CREATE TABLE more AS SELECT zeroblob(100000)');
    expect(() => database.transaction(work)).toThrow(NothingExecuted);
  });

  it('whose commit fails is thrown as it came, and the next one works', () => {
    // A deferred constraint is what a commit can be made to fail with.
    const work = () => database.sqlite.exec('INSERT INTO child VALUES (7)');
    expect(() => database.transaction(work)).toThrow('FOREIGN KEY');
    expect(() => database.transaction(work)).not.toThrow(NothingExecuted);
  });
});
