import {
  capture,
  closeNotExecuted,
  evolvePayment,
  noPayment,
  notSent,
  refund,
  voidOperation,
  type PaymentState,
} from '@tillstream/domain';
import {
  expire,
  expireAuth,
  first,
  followUp,
  form,
  interrupted,
  leave,
  opened,
  returned,
  sale,
  says,
  submit,
  type Step,
} from './payment.steps.testing.js';
import { webhookEventOfPayment } from './webhook.events.js';

describe('Each ending of docs/spec/transactions.md sends', () => {
  const none: string[] = [];
  const approved = says({ kind: 'Approved', amount: 100, facts: { responseCode: 1 } });
  const declined = says({ kind: 'Declined', facts: { responseCode: 12 } });
  const submitted = says({ kind: 'Submitted', facts: { responseCode: 57 } });

  it.each<[string, readonly Step[], readonly string[]]>([
    ['an approved sale', [sale(), approved], ['sale.completed']],
    [
      'a partly approved sale',
      [sale(), says({ kind: 'Approved', amount: 40, facts: { responseCode: 2 } })],
      ['sale.completed'],
    ],
    ['a declined sale', [sale(), declined], ['sale.completed']],
    ['an authorization', [opened('Auth'), approved], ['auth.completed']],
    ['an unreferenced refund', [opened('UnreferencedRefund'), approved], ['refund.completed']],
    ['an open attempt', [sale()], none],
    ['an unknown outcome', [sale(), interrupted], none],
    ['an unknown outcome that was resolved', [sale(), interrupted, approved], ['sale.completed']],
    [
      'a sale that did not happen',
      [sale(), interrupted, (s) => closeNotExecuted(s, { ...first, source: 'Annul' })],
      ['sale.completed'],
    ],
    ['a sale that was never sent', [sale(), (s) => notSent(s, { ...first, reason: 'late' })], none],
    [
      'a terminal that ended',
      [sale(), says({ kind: 'TerminalEnded', resultCode: 3005, facts: { responseCode: 51 } })],
      none,
    ],
    [
      'a customer who cancelled',
      [sale(), says({ kind: 'CustomerCancelled', facts: { responseCode: 55 } })],
      none,
    ],
    [
      'a late approval',
      [sale(), interrupted, (s) => closeNotExecuted(s, { ...first, source: 'Annul' }), approved],
      ['sale.completed'],
    ],
    ['a form that waits', [form], none],
    ['a form with a failed attempt', [form, submit(1), declined], none],
    [
      'a form whose second attempt was approved',
      [
        form,
        submit(1),
        declined,
        submit(2),
        says({ kind: 'Approved', amount: 100, facts: { responseCode: 1 } }, 2),
      ],
      ['sale.completed'],
    ],
    ['a form that was cancelled', [form, leave], none],
    ['a form that expired', [form, expire], none],
    ['a form that was cancelled after an attempt', [form, submit(1), declined, leave], ['sale.completed']],
    ['a form that expired after an attempt', [form, submit(1), declined, expire], ['sale.completed']],
    [
      'five failed attempts',
      [
        form,
        ...[1, 2, 3, 4, 5].flatMap((n) => [
          submit(n),
          says({ kind: 'Declined', facts: { responseCode: 12 } }, n),
        ]),
      ],
      ['sale.completed'],
    ],
    ['a bank payment that waits', [sale('Ach'), submitted], none],
    ['a bank payment that the bank approved', [sale('Ach'), submitted, approved], ['sale.completed']],
    ['a bank payment that the bank declined', [sale('Ach'), submitted, declined], ['sale.completed']],
    [
      'a bank payment that was returned',
      [sale('Ach'), submitted, approved, returned, returned],
      ['sale.completed', 'payment.returned'],
    ],
    [
      'a capture',
      [
        opened('Auth'),
        approved,
        followUp(capture),
        says({ kind: 'Approved', amount: 100, facts: { responseCode: 1 } }, 1, 1),
      ],
      ['auth.completed', 'capture.completed'],
    ],
    [
      'a refund that is executed as a void',
      [
        sale(),
        approved,
        followUp(refund),
        says({ kind: 'Approved', amount: 100, facts: { responseCode: 1 } }, 1, 1),
      ],
      ['sale.completed', 'refund.completed'],
    ],
    [
      'a void',
      [
        sale(),
        approved,
        followUp(voidOperation),
        says({ kind: 'Approved', amount: 100, facts: { responseCode: 1 } }, 1, 1),
      ],
      ['sale.completed', 'void.completed'],
    ],
    [
      'an authorization that expired, and its reversal',
      [
        opened('Auth'),
        approved,
        expireAuth,
        says({ kind: 'Approved', amount: 100, facts: { responseCode: 1 } }, 1, 960),
      ],
      ['auth.completed'],
    ],
    [
      'a capture after the expiry',
      [opened('Auth'), approved, expireAuth, followUp(capture)],
      ['auth.completed', 'capture.completed'],
    ],
  ])('%s', (_name, steps, expected) => {
    const made: string[] = [];
    let state: PaymentState = noPayment;
    for (const [index, step] of steps.entries()) {
      const decision = step(state);
      if (decision.kind === 'Rejected') throw new Error(`step ${index}: ${decision.rejection.message}`);
      for (const event of decision.events) {
        const after = evolvePayment(state, event);
        const one = webhookEventOfPayment(state, event, after);
        if (one) made.push(one.type);
        state = after;
      }
    }
    expect(made).toEqual(expected);
  });
});
