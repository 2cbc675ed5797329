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
  type ResolveCommand,
} from './manual-resolution.js';

const operationId = 'trx_01JQ000000000000000000P00A';
const anna = { keyId: 'key_anna', name: 'Anna' };
const ben = { keyId: 'key_ben', name: 'Ben' };

const says = (more: Partial<ResolveCommand> = {}): ResolveCommand => ({
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

/** What each command in turn came to, and what was written. */
function after(...commands: readonly ResolveCommand[]) {
  let state: ResolutionState = noResolution;
  const events: ResolutionEvent[] = [];
  const came = commands.map((command) => {
    const decision = proposeOrConfirm(state, command);
    if (decision.kind === 'Refused') return decision.refusal.code;
    events.push(...decision.events);
    state = foldResolution(decision.events, state);
    return decision.value.kind;
  });
  return { state, events, came, types: events.map(({ type }) => type) };
}

describe('an operator’s word on a large amount in live mode', () => {
  it('counts once another operator, with another key, says the same', () => {
    const { came, events } = after(says(), says({ commandId: 'c2', by: ben, reason: 'seen in the portal' }));
    expect(came).toEqual(['AwaitsConfirmation', 'Confirmed']);
    expect(events).toMatchObject([
      { type: 'ResolutionProposed', data: { by: anna, outcome: 'Approved' } },
      { type: 'ResolutionConfirmed', data: { by: ben, proposedBy: anna, reason: 'seen in the portal' } },
    ]);
  });

  it('is not confirmed by the same key, whatever name is sent with it', () => {
    const again = says({ commandId: 'c2', by: { ...anna, name: 'Somebody else' } });
    expect(after(says(), again).came).toEqual(['AwaitsConfirmation', 'SameOperator']);
  });

  it('that differs takes the place of the proposal, and waits for a second of its own', () => {
    const { came, state } = after(
      says(),
      says({ commandId: 'c2', by: ben, outcome: 'Declined' }),
      says({ commandId: 'c3', by: ben, outcome: 'Declined' }),
      says({ commandId: 'c4', outcome: 'Declined' }),
    );
    expect(came).toEqual(['AwaitsConfirmation', 'AwaitsConfirmation', 'SameOperator', 'Confirmed']);
    expect(state.proposal).toMatchObject({ outcome: 'Declined', by: ben, confirmed: true });
  });

  it('keeps the authorization code of the first; another code is another proposal', () => {
    const first = says({ authCode: 'A1' });
    const { events } = after(first, says({ commandId: 'c2', by: ben }));
    expect(events.at(-1)).toMatchObject({ type: 'ResolutionConfirmed', data: { authCode: 'A1' } });
    expect(after(first, says({ commandId: 'c2', by: ben, authCode: 'B2' })).came).toEqual([
      'AwaitsConfirmation',
      'AwaitsConfirmation',
    ]);
  });

  it('is said once under one command', () => {
    expect(after(says(), says())).toMatchObject({
      came: ['AwaitsConfirmation', 'AwaitsConfirmation'],
      types: ['ResolutionProposed'],
    });
  });

  it('that was confirmed and not carried out may be carried out by whoever repeats it', () => {
    const { came, types } = after(says(), says({ commandId: 'c2', by: ben }), says({ commandId: 'c3' }));
    expect(came).toEqual(['AwaitsConfirmation', 'Confirmed', 'Confirmed']);
    expect(types).toEqual(['ResolutionProposed', 'ResolutionConfirmed']);
  });

  it('about one try says nothing of the next', () => {
    const { came, state } = after(says(), says({ commandId: 'c2', by: ben, try: 2 }));
    expect(came).toEqual(['AwaitsConfirmation', 'AwaitsConfirmation']);
    expect(proposalFor(state, 1)).toBeUndefined();
  });

  it('is not moved by an inquiry that somebody forced', () => {
    const forced: ResolutionEvent = {
      type: 'InquiryForced',
      data: { at: says().at, operationId, merchantId: 'mer_1', try: 1, by: ben },
    };
    const { state } = after(says());
    expect(foldResolution([forced], state)).toEqual(state);
  });

  it('is carried out only where two keys said the same of the same try, one after the other', () => {
    const command = fc.record({
      commandId: fc.uuid(),
      by: fc.constantFrom(anna, ben, { ...anna, name: 'Other' }),
      outcome: fc.constantFrom('Approved' as const, 'Declined' as const, 'NotReceived' as const),
      try: fc.constantFrom(1, 2),
    });
    fc.assert(
      fc.property(fc.array(command, { maxLength: 12 }), (sequence) => {
        const commands = sequence.map((one) => says(one));
        const { came } = after(...commands);
        came.forEach((step, index) => {
          if (step !== 'Confirmed') return;
          const { outcome, try: number } = commands[index]!;
          const same = commands
            .slice(0, index + 1)
            .filter((one) => one.outcome === outcome && one.try === number);
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

describe('an operator’s word as an answer', () => {
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
  const said = {
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
    ResolutionProposed: { ...said, by: anna },
    ResolutionConfirmed: { ...said, by: ben, proposedBy: anna, proposedAt: at },
  });

  it('lie in a stream of their operation’s own', () => {
    expect(resolutionStream(operationId)).toBe('resolution-01JQ000000000000000000P00A');
  });
});
