import type { ServerFault } from './server.faults.js';
import type { AppendOutcome, AppendRequest } from './log.writer.js';
import type { Refusal } from './refusals.js';
import type { CallOrigin, ServerNode } from './server.node.js';

export type AppendEnd =
  | { readonly kind: 'Answer'; readonly outcome: AppendOutcome }
  | { readonly kind: 'Refused'; readonly refusal: Refusal }
  | { readonly kind: 'Silent' };

/** From the whole request to what is answered, with the faults that were injected on the way. */
export async function runAppend(
  node: ServerNode,
  call: 'append' | 'batchAppend',
  origin: CallOrigin,
  request: AppendRequest,
): Promise<AppendEnd> {
  const { stream, expected } = request;
  const eventIds = request.events.map(({ id }) => id);
  const admission = await node.admit(origin, { call, stream, expected, eventIds });
  if (admission.kind !== 'Go') return admission;
  return finish(node, origin, request, admission.fault);
}

function finish(
  node: ServerNode,
  origin: CallOrigin,
  request: AppendRequest,
  fault: ServerFault | undefined,
): AppendEnd {
  if (fault?.kind === 'CommitLate') {
    // This may itself be the repeat that others waited for.
    node.late.settle(request, 'beforeRepeat');
    node.late.settle(request, 'afterRepeat');
    const commit = () => void node.writer.append(request);
    node.late.hold(request, fault.order ?? 'beforeRepeat', fault.ms, commit);
  } else if (fault?.kind === 'DropConnection') {
    node.drop(origin);
    return { kind: 'Silent' };
  } else {
    const outcome = node.append(request);
    if (fault?.kind !== 'LoseAnswer') return { kind: 'Answer', outcome };
  }
  node.loses(origin, fault);
  return { kind: 'Silent' };
}
