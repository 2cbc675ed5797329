import type { Sandbox } from '../sandbox.js';
import { reactionSummary, SandboxFixture } from '../sandbox.fixture.js';

describe('What an account of the acquirer did', () => {
  let world: SandboxFixture;
  let sandbox: Sandbox;
  beforeEach(() => {
    world = new SandboxFixture();
    sandbox = world.open();
  });
  afterEach(() => {
    world.closeAll();
    world.remove();
  });

  it('is kept with it', () => {
    const sale = world.card(100, { account: 'a' });
    sandbox.acquirer.execute(sale);
    expect(sandbox.ledger.requestOf(sale.key)).toMatchObject({ account: 'a' });
  });

  it('is not found by another, nor undone', () => {
    const { acquirer } = sandbox;
    const sale = world.terminal(100, { account: 'a' });
    expect(reactionSummary(acquirer.execute(sale))).toBe('Approved 00 100');
    expect(acquirer.inquire(sale.key, 'b')).toEqual({ kind: 'NotFound' });
    expect(acquirer.lastTransaction('pmt_trm_1', sale.key, 'b')).toEqual({ kind: 'NotFound' });
    expect(reactionSummary(acquirer.execute(world.followUp('Void', sale.key, 100, { account: 'b' })))).toBe(
      'Declined G20',
    );
    expect(acquirer.annul(sale.key, 'b')).toEqual({ kind: 'Annulled' });
    expect(reactionSummary(acquirer.execute({ ...sale, account: 'b' }))).toBe('Declined G20');
    for (const account of ['a', undefined]) {
      expect(acquirer.inquire(sale.key, account)).toMatchObject({ kind: 'Found' });
    }
    expect(reactionSummary(acquirer.execute(world.followUp('Void', sale.key, 100, { account: 'a' })))).toBe(
      'Approved 00 100',
    );
  });

  it('is anybody’s where it was kept without an account', () => {
    const { acquirer } = sandbox;
    const sale = world.card(100);
    acquirer.execute(sale);
    expect(acquirer.inquire(sale.key, 'b')).toMatchObject({ kind: 'Found' });
    expect(reactionSummary(acquirer.execute(world.followUp('Refund', sale.key, 100, { account: 'b' })))).toBe(
      'Approved 00 100',
    );
  });
});
