import * as fc from 'fast-check';
import {
  evolvePayment,
  evolveToken,
  formatOperationId,
  noPayment,
  noToken,
  paymentCodec,
  recordKeysDestroyed,
  recordVerification,
  removeToken,
  requestToken,
  tokenCodec,
  updateToken,
  type OperationId,
  type PaymentState,
  type TokenDecision,
  type TokenState,
} from '@tillstream/domain';
import { MemoryEventStore, type RecordedEvent } from '@tillstream/event-store';
import { tokenOperationResult, transactionResult } from '@tillstream/presentation';
import { RandomHistories, seededChoice } from '@tillstream/read-models/testing';
import { webhookEventOfPayment, webhookEventOfToken, type WebhookEvent } from './webhook.events.js';

const RUNS = Number(process.env['PROPERTY_RUNS'] ?? 60);
const LIMIT_MS = 60_000 + RUNS * 500;

describe('The webhook events of any history', () => {
  it(
    'are one *.completed for each operation when and only when its public status becomes Completed',
    async () => {
      await fc.assert(
        fc.asyncProperty(fc.integer(), async (seed) => {
          const store = new MemoryEventStore();
          const histories = new RandomHistories(store, seededChoice(seed), { categories: ['payment'] });
          const states = new Map<string, PaymentState>();
          await histories.run(250, ({ stream, appended }) => {
            for (const recorded of appended) {
              const before = states.get(stream) ?? noPayment;
              const event = paymentCodec.decode(stored(recorded));
              const after = evolvePayment(before, event);
              states.set(stream, after);
              const made = webhookEventOfPayment(before, event, after);
              expect(made?.type === 'payment.returned' ? [] : made ? [made.subjectId] : []).toEqual(
                completed(after).filter((id) => !completed(before).includes(id)),
              );
              if (made?.type === 'payment.returned') expect(event.type).toBe('BankReturned');
            }
          });
        }),
        { numRuns: RUNS },
      );
    },
    LIMIT_MS,
  );

  it(
    'are one of each creation, update and removal of a stored card, and none of a card that was not stored',
    async () => {
      await fc.assert(
        fc.asyncProperty(fc.integer(), async (seed) => {
          const histories = new RandomHistories(new MemoryEventStore(), seededChoice(seed), {
            categories: ['token'],
          });
          const states = new Map<string, TokenState>();
          const made: WebhookEvent[] = [];
          const expected: string[] = [];
          await histories.run(150, ({ stream, appended }) => {
            for (const recorded of appended) {
              const before = states.get(stream) ?? noToken;
              const event = tokenCodec.decode(stored(recorded));
              const after = evolveToken(before, event);
              states.set(stream, after);
              made.push(...[webhookEventOfToken(before, event, after)].filter((one) => one !== undefined));
            }
          });
          for (const state of states.values()) {
            if (state.status === 'None') continue;
            for (const { id, kind } of state.operations) {
              const { status } = tokenOperationResult(state, id);
              const isStored = state.status === 'Active' || state.status === 'Removed';
              if (status === 'Completed' && isStored) expected.push(`${id} ${kind}`);
            }
          }
          const kinds = { created: 'TokenCreate', updated: 'TokenUpdate', removed: 'TokenRemove' };
          const names = made.map(({ type, subjectId }) => {
            return `${subjectId} ${kinds[type.replace('token.', '') as keyof typeof kinds]}`;
          });
          expect(names.sort()).toEqual(expected.sort());
        }),
        { numRuns: RUNS },
      );
    },
    LIMIT_MS,
  );
});

it('A stored card sends its creation, each change and its removal; the destruction of its keys sends nothing', () => {
  const at = '2026-03-01T12:00:00.000Z';
  const plan = { sendBefore: at, answerBefore: at, processor: 'sandbox', processorAccount: 'account' };
  const root = '01JQ0000000000000000001';
  const operationId = formatOperationId({ category: 'token', root, number: 0 });
  const method = { id: 'pmt_trm_0', type: 'Physical', currency: 'USD' } as const;
  const card = { cardType: 'VISA', maskedCardNumber: '************4242' } as const;
  const steps: ((state: TokenState) => TokenDecision)[] = [
    (state) =>
      requestToken(state, {
        ...{ root, at, commandId: 'a', merchantId: 'mer_A', attemptPlan: plan },
        ...{ channel: 'CardPresent', currency: 'USD', paymentMethod: method },
      }),
    (state) =>
      recordVerification(state, {
        ...{ at, operationId, try: 1, source: 'Answer', receiptLines: [] },
        answer: { kind: 'Approved', amount: 0, facts: { responseCode: 1, card } },
        personal: { keyId: 'key', iv: 'iv', ciphertext: 'text' },
      }),
    (state) => updateToken(state, { at, commandId: 'b', description: 'new', changesExpiry: false }),
    (state) => removeToken(state, { at, commandId: 'c' }),
    (state) => recordKeysDestroyed(state, { at }),
  ];
  const made: string[] = [];
  let state: TokenState = noToken;
  for (const step of steps) {
    const decision = step(state);
    if (decision.kind === 'Rejected') throw new Error(decision.rejection.message);
    expect(decision.events.length).toBeGreaterThan(0);
    for (const event of decision.events) {
      const after = evolveToken(state, event);
      made.push(webhookEventOfToken(state, event, after)?.type ?? event.type);
      state = after;
    }
  }
  expect(made).toEqual([
    'TokenRequested',
    'VerificationRequested',
    'token.created',
    'token.updated',
    'token.removed',
    'TokenKeysDestroyed',
  ]);
});

function stored({ type, data, metadata }: RecordedEvent) {
  return { type, data, schemaVersion: metadata['schemaVersion'] as number };
}

function completed(state: PaymentState): OperationId[] {
  if (state.status === 'None') return [];
  return state.operations
    .filter(({ kind, id }) => kind !== 'Reversal' && transactionResult(state, id).status === 'Completed')
    .map(({ id }) => id);
}
