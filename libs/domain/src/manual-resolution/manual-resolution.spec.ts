import { fileURLToPath } from 'node:url';
import * as fc from 'fast-check';
import { codecContract } from '../shared/testing/codec-contract.testing.js';
import {
  operatorResponse,
  foldResolution,
  needsConfirmation,
  noResolution,
  proposalFor,
  proposeOrConfirm,
  resolutionCodec,
  resolutionStream,
  type ResolutionEvent,
  type ResolutionState,
  type ResolutionProposed,
} from './manual-resolution.js';

const operationId = 'trx_01JQ000000000000000000P00A';
const anna = { keyId: 'key_anna', name: 'Anna' };
const ben = { keyId: 'key_ben', name: 'Ben' };

const resolve = (more: Partial<ResolutionProposed> = {}): ResolutionProposed => ({
  at: '2026-03-01T12:00:00.000Z',
  commandId: 'c1',
  operationId,
  merchantId: 'mer_1',
  try: 1,
  outcome: 'Approved',
  reason: 'the acquirer says so on the phone',
  amount: 200_000,
  currency: 'USD',
  by: anna,
  ...more,
});

/** The result of each command in turn, and the events. */
function after(...commands: readonly ResolutionProposed[]) {
  let state: ResolutionState = noResolution;
  const events: ResolutionEvent[] = [];
  const results = commands.map((command) => {
    const decision = proposeOrConfirm(state, command);
    if (decision.kind === 'Rejected') return decision.rejection.code;
    events.push(...decision.events);
    state = foldResolution(decision.events, state);
    return decision.value.kind;
  });
  return { state, events, results, types: events.map(({ type }) => type) };
}

describe('a manual resolution of a large amount in live mode', () => {
  it('is confirmed by another operator, with another key', () => {
    const { results, events } = after(
      resolve(),
      resolve({ commandId: 'c2', by: ben, reason: 'seen in the portal' }),
    );
    expect(results).toEqual(['AwaitsConfirmation', 'Confirmed']);
    expect(events).toMatchObject([
      { type: 'ResolutionProposed', data: { by: anna, outcome: 'Approved' } },
      { type: 'ResolutionConfirmed', data: { by: ben, proposedBy: anna, reason: 'seen in the portal' } },
    ]);
  });

  it('is not confirmed by the same key, even with another name', () => {
    const again = resolve({ commandId: 'c2', by: { ...anna, name: 'Another name' } });
    expect(after(resolve(), again).results).toEqual(['AwaitsConfirmation', 'SameOperator']);
  });

  it('that differs replaces the proposal and needs its own confirmation', () => {
    const { results, state } = after(
      resolve(),
      resolve({ commandId: 'c2', by: ben, outcome: 'Declined' }),
      resolve({ commandId: 'c3', by: ben, outcome: 'Declined' }),
      resolve({ commandId: 'c4', outcome: 'Declined' }),
    );
    expect(results).toEqual(['AwaitsConfirmation', 'AwaitsConfirmation', 'SameOperator', 'Confirmed']);
    expect(state.proposal).toMatchObject({ outcome: 'Declined', by: ben, confirmed: true });
  });

  it('keeps the authorization code of the first operator; another code is another proposal', () => {
    const first = resolve({ authCode: 'A1' });
    const { events } = after(first, resolve({ commandId: 'c2', by: ben }));
    expect(events.at(-1)).toMatchObject({ type: 'ResolutionConfirmed', data: { authCode: 'A1' } });
    expect(after(first, resolve({ commandId: 'c2', by: ben, authCode: 'B2' })).results).toEqual([
      'AwaitsConfirmation',
      'AwaitsConfirmation',
    ]);
  });

  it('is recorded once for each command id', () => {
    expect(after(resolve(), resolve())).toMatchObject({
      results: ['AwaitsConfirmation', 'AwaitsConfirmation'],
      types: ['ResolutionProposed'],
    });
  });

  it('that was confirmed but had no effect yet may be repeated by any operator', () => {
    const { results, types } = after(
      resolve(),
      resolve({ commandId: 'c2', by: ben }),
      resolve({ commandId: 'c3' }),
    );
    expect(results).toEqual(['AwaitsConfirmation', 'Confirmed', 'Confirmed']);
    expect(types).toEqual(['ResolutionProposed', 'ResolutionConfirmed']);
  });

  it('for one attempt does not count for the next', () => {
    const { results, state } = after(resolve(), resolve({ commandId: 'c2', by: ben, try: 2 }));
    expect(results).toEqual(['AwaitsConfirmation', 'AwaitsConfirmation']);
    expect(proposalFor(state, 1)).toBeUndefined();
  });

  it('is not changed by a forced inquiry', () => {
    const forced: ResolutionEvent = {
      type: 'InquiryForced',
      data: { at: resolve().at, operationId, merchantId: 'mer_1', try: 1, by: ben },
    };
    const { state } = after(resolve());
    expect(foldResolution([forced], state)).toEqual(state);
  });

  it('is confirmed only by two keys that decided the same about the same attempt', () => {
    const command = fc.record({
      commandId: fc.uuid(),
      by: fc.constantFrom(anna, ben, { ...anna, name: 'Other' }),
      outcome: fc.constantFrom('Approved' as const, 'Declined' as const, 'NotReceived' as const),
      try: fc.constantFrom(1, 2),
    });
    fc.assert(
      fc.property(fc.array(command, { maxLength: 12 }), (sequence) => {
        const commands = sequence.map(resolve);
        const { results } = after(...commands);
        results.forEach((step, index) => {
          if (step !== 'Confirmed') return;
          const { outcome, try: number } = commands[index]!;
          const same = commands
            .slice(0, index + 1)
            .filter((earlier) => earlier.outcome === outcome && earlier.try === number);
          expect(new Set(same.map(({ by }) => by.keyId)).size).toBe(2);
        });
      }),
    );
  });
});

describe('whether one operator is enough', () => {
  it.each([
    ['live', 100_001, true],
    ['live', 100_000, false],
    ['live', undefined, false],
    ['sandbox', 999_999_999, false],
  ] as const)('%s, %s cents: a second is needed %s', (mode, amount, needed) => {
    expect(needsConfirmation({ mode, above: 100_000 }, amount)).toBe(needed);
  });
});

describe('a manual resolution as a processor’s answer', () => {
  it('approves all of the amount, or declines as the issuer does', () => {
    expect(operatorResponse('Approved', 500, 'A1')).toMatchObject({
      kind: 'Approved',
      amount: 500,
      facts: { responseCode: 1, authCode: 'A1' },
    });
    expect(operatorResponse('Declined', 500, undefined)).toMatchObject({
      kind: 'Declined',
      facts: { responseCode: 10 },
    });
  });
});

describe('the stored events of a resolution', () => {
  const at = '2026-03-01T12:00:00.000Z';
  const commandId = '0195537a-0000-7000-8000-000000000001';
  const merchantId = 'mer_01JQ0000000000000000000000';
  const resolution = {
    at,
    commandId,
    operationId,
    merchantId,
    try: 1,
    outcome: 'Approved',
    reason: 'the acquirer says so',
    authCode: 'A1B2C3',
    amount: 200_000,
    currency: 'USD',
  } as const;

  codecContract(resolutionCodec, fileURLToPath(new URL('./fixtures', import.meta.url)), {
    InquiryForced: { at, operationId, merchantId, try: 1, by: anna },
    ResolutionProposed: { ...resolution, by: anna },
    ResolutionConfirmed: { ...resolution, by: ben, proposedBy: anna, proposedAt: at },
  });

  it('lie in a stream of their operation’s own', () => {
    expect(resolutionStream(operationId)).toBe('resolution-01JQ000000000000000000P00A');
  });
});
