import type { PaymentEvent } from '@tillstream/domain';
import type { Movement } from '@tillstream/sandbox';
import { newRequest } from '../support/client.request.js';
import { EvidenceFixture } from './evidence.fixture.js';
import { audit, type Evidence } from './deployment.audit.js';

/** An authorization of 1000, captured with 700, 200 of it given back. */
function paid(): { readonly fixture: EvidenceFixture; readonly captured: string } {
  const fixture = new EvidenceFixture();
  const auth = fixture.open('Auth', 1_000);
  const captured = fixture.followUp('Capture', auth, 700);
  fixture.followUp('Refund', captured as `trx_${string}`, 200);
  return { fixture, captured };
}

const honest = (): Evidence => paid().fixture.evidence(500);

function withMovements(change: (movements: readonly Movement[]) => readonly Movement[]): Evidence {
  const evidence = honest();
  return { ...evidence, movements: change(evidence.movements) };
}

/** Evidence of a store that lost some events. */
function without(...types: PaymentEvent['type'][]): Evidence {
  const { fixture } = paid();
  const kept = fixture.events.filter(({ type }) => !types.includes(type));
  fixture.events.splice(0, fixture.events.length, ...kept);
  return fixture.evidence(500);
}

function response(evidence: Evidence, status: number, body: object): void {
  evidence.requests[1]?.responses.push({
    status,
    text: JSON.stringify(body),
    replayed: true,
    sentAt: 0,
    receivedAt: 0,
  });
}

describe('the audit', () => {
  it('has nothing to say where history, ledger and answers agree', () => {
    expect(audit(honest())).toEqual([]);
  });

  it('compares what a bank took back, and sees it where only one side has it', () => {
    const fixture = new EvidenceFixture();
    const sale = fixture.open('Sale', 1_000);
    fixture.takenBack(sale, 1_000);
    const evidence = fixture.evidence(0);
    expect(audit(evidence)).toEqual([]);
    const movements = evidence.movements.filter(({ kind }) => kind !== 'Returned');
    expect(audit({ ...evidence, movements })).toEqual([
      `ret_${sale}.1: history has Returned 1000, the ledger nothing`,
    ]);
    fixture.events.pop();
    expect(audit(fixture.evidence(0))).toContainEqual(
      expect.stringContaining('the ledger has Returned 1000, history has no such movement'),
    );
  });

  it('sees a charge that the acquirer does not have', () => {
    const evidence = withMovements((all) => all.filter(({ kind }) => kind !== 'Captured'));
    expect(audit(evidence)).toContainEqual(
      expect.stringContaining('history has Captured 700, the ledger nothing'),
    );
  });

  it('sees a second charge under another key', () => {
    const evidence = withMovements((all) => [
      ...all,
      { ...(all[1] as Movement), key: 'trx_other.1', amount: 100 },
    ]);
    expect(audit(evidence)).toContainEqual(
      expect.stringContaining('the ledger has Captured 100, history has no such movement'),
    );
  });

  it('sees a second charge under the same key', () => {
    const evidence = withMovements((all) => [...all, all[1] as Movement]);
    expect(audit(evidence)).toContainEqual(expect.stringContaining('the ledger has money moved twice'));
  });

  it('sees another amount', () => {
    const evidence = withMovements((all) => all.map((one) => ({ ...one, amount: one.amount + 1 })));
    expect(audit(evidence)).toContainEqual(
      expect.stringContaining('the ledger has Captured 701, history Captured 700'),
    );
  });

  it('sees that more was given back than there was', () => {
    const evidence = withMovements((all) => [
      ...all,
      { ...(all[2] as Movement), key: 'trx_other.1', amount: 600 },
    ]);
    expect(audit(evidence)).toContainEqual(expect.stringContaining('100 more than there was in'));
  });

  it('sees that the sums of the acquirer are others', () => {
    expect(audit(paid().fixture.evidence(700))).toContainEqual(
      expect.stringContaining('net 500 by its events, 700 at the acquirer'),
    );
  });

  it('sees a payment of the acquirer that has no history', () => {
    expect(audit({ ...honest(), histories: [] })).toContainEqual(
      expect.stringContaining('no history at all'),
    );
  });

  it('sees an operation without an outcome, and that its client was answered with one', () => {
    const complaints = audit(without('Voided'));
    expect(complaints).toContainEqual(expect.stringContaining('has no outcome: InFlight'));
    expect(complaints).toContainEqual(
      expect.stringContaining('was answered with approved amount 200, it is 0'),
    );
    expect(complaints).toContainEqual(
      expect.stringContaining('the ledger has Voided 200, history has no such'),
    );
  });

  it('sees an acknowledged operation that is in no history', () => {
    const evidence = honest();
    const other = new EvidenceFixture(2);
    other.open('Sale', 300);
    expect(audit({ ...evidence, requests: [...evidence.requests, ...other.requests] })).toEqual([
      expect.stringContaining('which is in no history'),
    ]);
  });

  it('sees one request that was begun twice', () => {
    const evidence = honest();
    const other = new EvidenceFixture(2);
    other.open('Sale', 300);
    other.requests.splice(0, 1);
    const [opened] = other.events;
    if (opened?.type !== 'SaleRequested') throw new Error('a sale begins with its request');
    other.events[0] = {
      ...opened,
      data: { ...opened.data, referenceId: evidence.requests[0]?.body.referenceId ?? '' },
    };
    const { histories, movements, nets } = other.evidence(300);
    const doubled = {
      ...evidence,
      histories: [...evidence.histories, ...histories],
      movements: [...evidence.movements, ...movements],
      nets: [...evidence.nets, ...nets],
    };
    expect(audit(doubled)).toContainEqual(expect.stringContaining('are one request, begun twice'));
  });

  it('sees an operation without a request', () => {
    const evidence = honest();
    expect(audit({ ...evidence, requests: evidence.requests.slice(1) })).toEqual([
      expect.stringContaining('has no request'),
    ]);
  });

  it('sees that a repeat was answered with another operation, or other bytes', () => {
    const evidence = honest();
    const [first] = evidence.requests[0]?.responses ?? [];
    response(evidence, 200, JSON.parse(first?.text ?? '{}') as object);
    const complaints = audit(evidence);
    expect(complaints).toContainEqual(expect.stringMatching(/answered with trx_\S+ and trx_/));
    expect(complaints).toContainEqual(expect.stringContaining('its 200s differ'));
  });

  it('sees that a known answer was taken back, and takes that an unknown one became known', () => {
    const evidence = honest();
    const unknown = JSON.stringify({ code: 3000, status: 'Interrupted', errorDetails: [] });
    const [, requests] = evidence.requests;
    const early = { status: 500, text: unknown, replayed: false, sentAt: -2, receivedAt: -1 };
    requests?.responses.unshift(early);
    expect(audit(evidence)).toEqual([]);
    requests?.responses.push({ ...early, sentAt: 1, receivedAt: 2 });
    expect(audit(evidence)).toEqual([expect.stringContaining('answered 200, and later 500')]);
  });

  it('sees that a client was answered "Rejected" for what was charged', () => {
    const { fixture, captured } = paid();
    const evidence = fixture.evidence(500);
    const error = { code: 9000, status: 'Rejected', errorDetails: [{ details: captured }] };
    response(evidence, 500, error);
    expect(audit(evidence)).toContainEqual(expect.stringContaining('answered that nothing happened'));
  });

  it('sees a repeat that was answered "Rejected" after its operation had begun, with any later response', () => {
    const evidence = honest();
    const error = { code: 9000, status: 'Rejected', errorDetails: [] };
    const answer = (receivedAt: number) => ({
      status: 500,
      text: JSON.stringify(error),
      replayed: false,
      sentAt: 0,
      receivedAt,
    });
    evidence.requests[1]?.responses.unshift(answer(-1));
    expect(audit(evidence)).toEqual([]);
    evidence.requests[1]?.responses.unshift(answer(Date.now()));
    expect(audit(evidence)).toContainEqual(expect.stringContaining('had begun'));
  });

  it('sees that what was refused was begun all the same', () => {
    const evidence = honest();
    response(evidence, 400, { code: 2012, status: 'Rejected', errorDetails: [] });
    expect(audit(evidence)).toContainEqual(expect.stringContaining('refused with 400/2012'));
  });

  it('sees money that came late and was not given back', () => {
    const fixture = new EvidenceFixture();
    const sale = fixture.open('Sale', 400);
    const late = fixture.events.find(({ type }) => type === 'Authorized');
    if (late?.type !== 'Authorized') throw new Error('a sale is authorized');
    const kept = fixture.events.filter(({ type }) => type !== 'Authorized' && type !== 'Captured');
    const { at, commandId } = late.data;
    const notExecuted = { at, operationId: sale, commandId, try: 1, source: 'Annul' } as const;
    fixture.events.splice(
      0,
      fixture.events.length,
      ...kept,
      { type: 'NotExecuted', data: notExecuted },
      { type: 'LateApprovalFound', data: late.data },
    );
    expect(audit(fixture.evidence(400))).toContainEqual(
      expect.stringContaining('400 came late, 0 went back'),
    );
  });

  it('accepts a request without a response and without an operation', () => {
    const evidence = honest();
    expect(
      audit({ ...evidence, requests: [...evidence.requests, newRequest('Sale', { amount: 100 })] }),
    ).toEqual([]);
  });
});
