import type { ServerFault } from '../node/server.faults.js';
import type { LogAppendResult, AppendRequest } from '../log/log.writer.js';
import type { CallRefusal } from '../node/call.refusal.js';
import type { CallOrigin, NodeContext } from '../node/node.context.js';

export type AppendReply =
  | { readonly kind: 'Answer'; readonly outcome: LogAppendResult }
  | { readonly kind: 'Refused'; readonly refusal: CallRefusal }
  | { readonly kind: 'Silent' };

/** Executes a complete append request with its injected fault, and returns the reply. */
export async function runAppend(
  node: NodeContext,
  call: 'append' | 'batchAppend',
  origin: CallOrigin,
  request: AppendRequest,
): Promise<AppendReply> {
  const { stream, expected } = request;
  const eventIds = request.events.map(({ id }) => id);
  const admission = await node.admit(origin, { call, stream, expected, eventIds });
  if (admission.kind !== 'Go') return admission;
  return applyFault(node, origin, request, admission.fault);
}

function applyFault(
  node: NodeContext,
  origin: CallOrigin,
  request: AppendRequest,
  fault: ServerFault | undefined,
): AppendReply {
  if (fault?.kind === 'CommitLate') {
    // This append may be the repeat that delayed commits wait for.
    node.delayedCommits.commitDue(request, 'beforeRepeat');
    node.delayedCommits.commitDue(request, 'afterRepeat');
    const commit = () => void node.writer.append(request);
    node.delayedCommits.hold(request, fault.order ?? 'beforeRepeat', fault.ms, commit);
  } else if (fault?.kind === 'DropConnection') {
    node.dropConnection(origin);
    return { kind: 'Silent' };
  } else {
    const outcome = node.append(request);
    if (fault?.kind !== 'LoseAnswer') return { kind: 'Answer', outcome };
  }
  node.losesResponse(origin, fault);
  return { kind: 'Silent' };
}
