import { AMOUNT_ROWS } from './amounts.table.js';
import type { CardOperation, FollowUpOperation } from './acquirer.types.js';
import { LATE_EXECUTION_MS, DEADLINE_MS, reactionSummary, SandboxFixture } from '../sandbox.fixture.js';
import type { Sandbox } from '../sandbox.js';

let fixture: SandboxFixture;
let sandbox: Sandbox;
beforeEach(() => {
  fixture = new SandboxFixture();
  sandbox = fixture.open();
});
afterEach(() => fixture.remove());

const FROM_CARDS: readonly CardOperation[] = ['Sale', 'Authorize', 'UnreferencedRefund'];
const pay = (amount: number, operation: CardOperation = 'Sale') =>
  sandbox.acquirer.execute(fixture.card(amount, { operation }));
/** The key of an approval from which `amount` can be captured, refunded, voided or reversed. */
function original(operation: 'Authorize' | 'Sale', amount: number): string {
  const request = fixture.card(2_000_000, { operation });
  expect(reactionSummary(sandbox.acquirer.execute(request))).toBe('Approved 00 2000000');
  expect(amount).toBeLessThan(2_000_000);
  return request.key;
}
const followUp = (operation: FollowUpOperation, amount: number) =>
  fixture.followUp(operation, original(operation === 'Capture' ? 'Authorize' : 'Sale', amount), amount);
const FOLLOW_UPS: readonly FollowUpOperation[] = ['Capture', 'Void', 'Refund'];

describe('Amounts 900000 + n', () => {
  it.each(FROM_CARDS)('decline a %s with ISO code n', (operation) => {
    expect(reactionSummary(pay(900_051, operation))).toBe('Declined 51');
    expect(reactionSummary(pay(900_005, operation))).toBe('Declined 05');
    expect(reactionSummary(pay(900_099, operation))).toBe('Declined 99');
  });

  it('approve with 00, and half of it with 10: sale and auth only', () => {
    expect(reactionSummary(pay(900_000))).toBe('Approved 00 900000');
    expect(reactionSummary(pay(900_010))).toBe('Approved 10 450005');
    expect(reactionSummary(pay(900_010, 'Authorize'))).toBe('Approved 10 450005');
    expect(reactionSummary(pay(900_010, 'UnreferencedRefund'))).toBe('Declined 05');
  });

  it('have no effect on captures, refunds and voids', () => {
    for (const operation of FOLLOW_UPS) {
      expect(reactionSummary(sandbox.acquirer.execute(followUp(operation, 900_051)))).toBe(
        'Approved 00 900051',
      );
    }
  });

  it('have no effect with a card that declines', () => {
    const card = { number: '4000000000000002', expDate: '1234' };
    expect(reactionSummary(sandbox.acquirer.execute(fixture.card(900_051, { card })))).toBe('Declined 05');
  });
});

describe('Amounts 910000 + n', () => {
  const results = AMOUNT_ROWS.find((row) => row.base === 910_000)?.n ?? [];
  it.each(results.map((n) => [n]))('end on a terminal with result code %i, and no money moves', (n) => {
    const request = fixture.terminal(910_000 + n);
    expect(reactionSummary(sandbox.acquirer.execute(request))).toBe(`TerminalEnded ${n}`);
    expect(sandbox.acquirer.inquire(request.key)).toEqual({ kind: 'NotFound' });
  });

  it('take effect before a card that declines', () => {
    sandbox.terminals.set('pmt_trm_1', { mode: 'Auto', card: '4000000000000002' });
    expect(reactionSummary(sandbox.acquirer.execute(fixture.terminal(913_005)))).toBe('TerminalEnded 3005');
  });

  it('have no effect without a terminal', () => {
    expect(reactionSummary(pay(913_005))).toBe('Approved 00 913005');
  });
});

describe('Amount 920001', () => {
  it('executes, and its response is lost', () => {
    const request = fixture.card(920_001);
    expect(sandbox.acquirer.execute(request)).toEqual({ kind: 'Silent' });
    expect(sandbox.acquirer.inquire(request.key)).toMatchObject({ kind: 'Found' });
    expect(sandbox.ledger.entry(request.key)?.amount).toBe(920_001);
  });

  it.each(FOLLOW_UPS)('has the same effect on a %s', (operation) => {
    const request = followUp(operation, 920_001);
    expect(sandbox.acquirer.execute(request)).toEqual({ kind: 'Silent' });
    expect(sandbox.acquirer.inquire(request.key)).toMatchObject({ kind: 'Found' });
  });
});

describe('Amount 920002', () => {
  it('loses the first send: it can be annulled', () => {
    const request = fixture.card(920_002);
    expect(sandbox.acquirer.execute(request)).toEqual({ kind: 'Silent' });
    expect(sandbox.acquirer.inquire(request.key)).toEqual({ kind: 'NotFound' });
    expect(sandbox.acquirer.annul(request.key)).toEqual({ kind: 'Annulled' });
    expect(sandbox.ledger.entry(request.key)).toBeUndefined();
  });

  it.each(FOLLOW_UPS)(
    'ends approved when a %s is sent again with its key, by another process too',
    (operation) => {
      const request = followUp(operation, 920_002);
      expect(sandbox.acquirer.execute(request)).toEqual({ kind: 'Silent' });
      expect(reactionSummary(fixture.open().acquirer.execute(request))).toBe('Approved 00 920002');
      expect(reactionSummary(sandbox.acquirer.execute(request))).toBe('Approved 00 920002');
    },
  );
});

describe('Amount 920003', () => {
  it('loses the response and fails three inquiries, also after a restart; the fourth finds the approval', () => {
    const request = fixture.card(920_003);
    expect(sandbox.acquirer.execute(request)).toEqual({ kind: 'Silent' });
    expect(sandbox.acquirer.inquire(request.key)).toEqual({ kind: 'NoAnswer' });
    expect(sandbox.acquirer.inquire(request.key)).toEqual({ kind: 'NoAnswer' });
    fixture.closeAll();
    sandbox = fixture.open();
    expect(sandbox.acquirer.inquire(request.key)).toEqual({ kind: 'NoAnswer' });
    expect(sandbox.acquirer.inquire(request.key)).toMatchObject({
      kind: 'Found',
      answer: { outcome: 'Approved' },
    });
  });
});

describe('Amount 920004', () => {
  it('is refused before anything is received', () => {
    const request = fixture.card(920_004);
    expect(sandbox.acquirer.execute(request)).toEqual({ kind: 'ConnectionRefused' });
    expect(sandbox.acquirer.inquire(request.key)).toEqual({ kind: 'NotFound' });
  });
});

describe('Amount 920005', () => {
  it('is approved after 5 s, and `StillRunning` before', () => {
    const request = fixture.card(920_005);
    expect(sandbox.acquirer.execute(request)).toEqual({ kind: 'Silent', answersAfterMs: 5_000 });
    expect(sandbox.acquirer.inquire(request.key)).toEqual({ kind: 'StillRunning' });
    fixture.now += 2_000;
    expect(sandbox.acquirer.execute(request)).toEqual({ kind: 'Silent', answersAfterMs: 3_000 });
    expect(sandbox.acquirer.executeDue(request.key)).toMatchObject({ approvedAmount: 920_005 });
    expect(reactionSummary(sandbox.acquirer.execute(request))).toBe('Approved 00 920005');
  });

  it('is executed by another process when it is due', () => {
    const request = fixture.card(920_005);
    sandbox.acquirer.execute(request);
    fixture.closeAll();
    fixture.now += 5_000;
    expect(fixture.open().acquirer.inquire(request.key)).toMatchObject({ kind: 'Found' });
  });

  it('does not execute after an annulment', () => {
    const request = fixture.card(920_005);
    sandbox.acquirer.execute(request);
    expect(sandbox.acquirer.annul(request.key)).toEqual({ kind: 'Annulled' });
    fixture.now += 5_000;
    expect(sandbox.acquirer.executeDue(request.key)).toBeUndefined();
    expect(sandbox.ledger.entry(request.key)).toBeUndefined();
  });

  it('never takes more of its original than other operations have left', () => {
    const sale = fixture.card(1_000_000);
    sandbox.acquirer.execute(sale);
    const slow = fixture.followUp('Refund', sale.key, 920_005);
    sandbox.acquirer.execute(slow);
    sandbox.acquirer.execute(fixture.followUp('Refund', sale.key, 500_000));
    expect(sandbox.acquirer.executeDue(slow.key)).toMatchObject({ outcome: 'Declined', hostCode: '13' });
    expect(sandbox.ledger.net(sale.key)).toMatchObject({ refunded: 500_000, net: 500_000 });
  });
});

describe('Amount 920006', () => {
  it('is not found and can be annulled, and executes late, 20 s after the deadline', () => {
    const request = fixture.card(920_006);
    const answersAfterMs = DEADLINE_MS + LATE_EXECUTION_MS;
    expect(sandbox.acquirer.execute(request)).toEqual({ kind: 'Silent', answersAfterMs });
    expect(sandbox.acquirer.inquire(request.key)).toEqual({ kind: 'NotFound' });
    expect(sandbox.acquirer.annul(request.key)).toEqual({ kind: 'Annulled' });
    fixture.now += answersAfterMs - 1;
    expect(sandbox.acquirer.inquire(request.key)).toEqual({ kind: 'NotFound' });
    fixture.closeAll();
    fixture.now += 1;
    sandbox = fixture.open();
    expect([...sandbox.ledger.entries()]).toMatchObject([{ key: request.key, at: fixture.now }]);
    expect(sandbox.acquirer.inquire(request.key)).toMatchObject({
      kind: 'Found',
      answer: { outcome: 'Approved' },
    });
    expect(sandbox.acquirer.annul(request.key)).toMatchObject({ kind: 'AlreadyExecuted' });
  });

  it('can be reversed after it has executed, and not before', () => {
    const request = fixture.card(920_006);
    sandbox.acquirer.execute(request);
    const reverse = () => sandbox.acquirer.execute(fixture.followUp('Reverse', request.key, 920_006));
    expect(reactionSummary(reverse())).toBe('Declined G20');
    fixture.now += DEADLINE_MS + LATE_EXECUTION_MS;
    expect(reactionSummary(reverse())).toBe('Approved 00 920006');
    expect(sandbox.ledger.net(request.key)?.net).toBe(0);
  });
});

describe('Amounts 92000x', () => {
  it.each([1, 2, 3, 4, 5, 6])("920000 + %i never applies to the service's own reversals", (n) => {
    const reversal = fixture.followUp('Reverse', original('Sale', 920_000 + n), 920_000 + n);
    expect(reactionSummary(sandbox.acquirer.execute(reversal))).toBe(`Approved 00 ${920_000 + n}`);
  });
});

describe('Amounts 930000 + n', () => {
  it.each(FOLLOW_UPS)('decline a %s with code n', (operation) => {
    expect(reactionSummary(sandbox.acquirer.execute(followUp(operation, 930_011)))).toBe('Declined G11');
    expect(reactionSummary(sandbox.acquirer.execute(followUp(operation, 930_050)))).toBe('Declined G50');
  });

  it('have no effect on a sale, and none if code n is no decline', () => {
    expect(reactionSummary(pay(930_011))).toBe('Approved 00 930011');
    expect(reactionSummary(sandbox.acquirer.execute(followUp('Refund', 930_001)))).toBe('Approved 00 930001');
  });
});

describe('Amounts 940000 + n', () => {
  it.each([0, 19, 20, 50, 51, 52, 53, 54, 55, 56])('end with code %i', (n) => {
    for (const operation of FROM_CARDS)
      expect(reactionSummary(pay(940_000 + n, operation))).toBe(`Declined G${n}`);
  });
});

describe('Amount 950001', () => {
  it("closes the acquirer's batch: a void comes too late, a refund does not", () => {
    const request = fixture.card(950_001);
    expect(reactionSummary(sandbox.acquirer.execute(request))).toBe('Approved 00 950001');
    const { key } = request;
    expect(reactionSummary(sandbox.acquirer.execute(fixture.followUp('Void', key, 100)))).toBe(
      'BatchClosed G20',
    );
    expect(reactionSummary(sandbox.acquirer.execute(fixture.followUp('Refund', key, 100)))).toBe(
      'Approved 00 100',
    );
    expect(reactionSummary(sandbox.acquirer.execute(fixture.followUp('Reverse', key, 950_001 - 100)))).toBe(
      'Approved 00 949901',
    );
  });

  it('has the same effect on a capture', () => {
    const capture = followUp('Capture', 950_001);
    sandbox.acquirer.execute(capture);
    expect(reactionSummary(sandbox.acquirer.execute(fixture.followUp('Void', capture.key, 1)))).toBe(
      'BatchClosed G20',
    );
  });
});
