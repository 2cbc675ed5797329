import type { OperationId } from '../../shared/ids.js';
import { putIntoBatch } from '../decide/batch-item.decide.js';
import { recordChargeback, recordNoticeOfChange } from '../decide/reversals-and-returns.decide.js';
import type { PaymentDecision } from '../payment.commands.js';
import type { PaymentState } from '../payment.state.js';
import type { PaymentAction } from './operation-arbitraries.testing.js';

export type FactAction = Extract<
  PaymentAction,
  { does: 'batch' | 'notice' | 'chargeback' | 'batchChargeback' } | { does: 'batchReturn' }
>;

/** A fact that comes from outside, in any state of the payment. */
export function factDecision(
  action: FactAction,
  target: { readonly at: string; readonly operationId: OperationId },
): (state: PaymentState) => PaymentDecision {
  const batch = { ...target, batchId: 'bat_1', closing: 1 };
  switch (action.does) {
    case 'batch':
      return (state) => putIntoBatch(state, batch);
    case 'batchReturn':
      return (state) => putIntoBatch(state, { ...batch, returnId: `return-${action.id}` });
    case 'batchChargeback':
      return (state) => putIntoBatch(state, { ...batch, chargebackId: 'chargeback-1' });
    case 'chargeback':
      return (state) =>
        recordChargeback(state, { ...target, chargebackId: 'chargeback-1', reason: 'none', amount: 1 });
    case 'notice': {
      const corrected = { keyId: 'key', iv: 'iv', ciphertext: 'text' };
      return (state) =>
        recordNoticeOfChange(state, { ...target, noticeId: 'notice', code: 'C01', corrected });
    }
  }
}
