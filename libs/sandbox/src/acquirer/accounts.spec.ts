import type { Sandbox } from '../sandbox.js';
import { reactionSummary, SandboxFixture } from '../sandbox.fixture.js';

describe('An operation of one account', () => {
  let fixture: SandboxFixture;
  let sandbox: Sandbox;
  beforeEach(() => {
    fixture = new SandboxFixture();
    sandbox = fixture.open();
  });
  afterEach(() => {
    fixture.closeAll();
    fixture.remove();
  });

  it('is stored with its account', () => {
    const sale = fixture.card(100, { account: 'a' });
    sandbox.acquirer.execute(sale);
    expect(sandbox.ledger.requestOf(sale.key)).toMatchObject({ account: 'a' });
  });

  it('can be neither found nor undone under another account', () => {
    const { acquirer } = sandbox;
    const sale = fixture.terminal(100, { account: 'a' });
    expect(reactionSummary(acquirer.execute(sale))).toBe('Approved 00 100');
    expect(acquirer.inquire(sale.key, 'b')).toEqual({ kind: 'NotFound' });
    expect(acquirer.lastTransaction('pmt_trm_1', sale.key, 'b')).toEqual({ kind: 'NotFound' });
    expect(reactionSummary(acquirer.execute(fixture.followUp('Void', sale.key, 100, { account: 'b' })))).toBe(
      'Declined G20',
    );
    expect(acquirer.annul(sale.key, 'b')).toEqual({ kind: 'Annulled' });
    expect(reactionSummary(acquirer.execute({ ...sale, account: 'b' }))).toBe('Declined G20');
    for (const account of ['a', undefined]) {
      expect(acquirer.inquire(sale.key, account)).toMatchObject({ kind: 'Found' });
    }
    expect(reactionSummary(acquirer.execute(fixture.followUp('Void', sale.key, 100, { account: 'a' })))).toBe(
      'Approved 00 100',
    );
  });

  it('belongs to any account if it was stored without one', () => {
    const { acquirer } = sandbox;
    const sale = fixture.card(100);
    acquirer.execute(sale);
    expect(acquirer.inquire(sale.key, 'b')).toMatchObject({ kind: 'Found' });
    expect(
      reactionSummary(acquirer.execute(fixture.followUp('Refund', sale.key, 100, { account: 'b' }))),
    ).toBe('Approved 00 100');
  });
});
