import type { ActorType, HistoryItem } from '@tillstream/contracts';
import {
  anyFields,
  choice,
  inline,
  integer,
  optional,
  pageOf,
  shape,
  text,
  time,
} from '../openapi/response.schema.js';
import { SAMPLE, SAMPLE_TRACE_ID } from '../openapi/samples.js';

/** One recorded event (`docs/spec/transactions.md#history`). */
const HISTORY_ITEM = shape<HistoryItem>()(
  'HistoryItem',
  'One event of a payment or stored card, as it was recorded and never changed.',
  {
    sequence: integer('Its place in that history, from 0, without gaps.', 0, { minimum: 0 }),
    type: text('What happened.', 'SaleRequested'),
    timestamp: time('When it happened.'),
    actor: inline<HistoryItem['actor']>('Who did it.', {
      type: choice<ActorType>('What kind of actor.', {
        ApiKey: 'A merchant’s software.',
        Customer: 'The person who pays.',
        Operator: 'An operator of the service.',
        System: 'The service itself.',
      }),
      name: text('Its name: of a key, of a person, of a part of the service.', 'Demo'),
    }),
    reason: optional(text('The reason, if one was given.', 'told by the issuer on the phone')),
    traceId: optional(text('Of the request that did it.', SAMPLE_TRACE_ID, { pattern: '^[0-9a-f]{32}$' })),
    data: anyFields('What was recorded; its fields depend on `type`.', {
      transactionId: SAMPLE.sale,
      amount: 1250,
      currency: 'USD',
    }),
  },
);

export const HISTORY_PAGE = pageOf('HistoryPage', HISTORY_ITEM);
