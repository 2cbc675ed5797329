import {
  type OperationId,
  type Merchant,
  streamOfOperation,
  streamOfTokenOperation,
} from '@tillstream/domain';
import {
  formOfPayment,
  formOfToken,
  type FormAggregate,
  type FormRejection,
} from '../hosted-forms/form.aggregates.js';
import { endForm } from '../hosted-forms/form.end.js';
import type { Parts } from '../parts.js';
import { serviceActor, type StreamEvent } from '../stream-repository/event-metadata.js';
import type { WorkItemResult } from './work-item.schedule.js';

/** Ends a form whose time has passed. While a submission has no outcome the form stays open. */
export async function expireForm(
  parts: Parts,
  operationId: OperationId,
): Promise<WorkItemResult | undefined> {
  const payment = streamOfOperation(operationId);
  if (payment !== undefined) return expire(parts, formOfPayment(parts), payment);
  const token = streamOfTokenOperation(operationId);
  return token === undefined ? undefined : expire(parts, formOfToken(parts), token);
}

async function expire<State, Event extends StreamEvent, Rejection extends FormRejection>(
  parts: Parts,
  aggregate: FormAggregate<State, Event, Rejection>,
  stream: string,
): Promise<WorkItemResult | undefined> {
  const loaded = await aggregate.sender.aggregate.repository.load(stream);
  const found = aggregate.find(loaded.state);
  const merchant: Merchant | undefined = found && (await parts.authentication.findMerchant(found.merchantId));
  if (!found || !merchant) return undefined;
  const cause = { merchantId: merchant.id, actor: serviceActor, causationId: found.operationId };
  const ended = await endForm(parts, aggregate, { loaded, found, merchant, cause }, aggregate.expire);
  if (ended.kind === 'Written') return 'Done';
  if (ended.kind === 'Contended') return 'Again';
  // The clock may have been set back: then the form has not expired yet.
  const { code } = ended.rejection;
  return code === 'SubmissionInFlight' || code === 'StepOutOfOrder' ? 'Again' : 'Done';
}
