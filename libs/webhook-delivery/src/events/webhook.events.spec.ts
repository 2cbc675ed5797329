import * as fc from 'fast-check';
import {
  evolvePayment,
  evolveToken,
  noPayment,
  noToken,
  paymentCodec,
  tokenCodec,
  type OperationId,
  type PaymentState,
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
              expect(made?.type === 'payment.returned' ? [] : made ? [made.operationId] : []).toEqual(
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
          const names = made.map(({ type, operationId }) => {
            return `${operationId} ${kinds[type.replace('token.', '') as keyof typeof kinds]}`;
          });
          expect(names.sort()).toEqual(expected.sort());
        }),
        { numRuns: RUNS },
      );
    },
    LIMIT_MS,
  );
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
