import { BANK_MESSAGES_MAX, isMessageCountLine, isMessagesLine, WIRE_PATHS } from '@tillstream/sandbox';
import type { BankMessages } from '../sandbox/bank.notices.js';
import { SandboxUnreachable } from './network-sandbox.controls.js';
import type { SandboxClient, SandboxQuery } from './sandbox.client.js';

const BANK_TIMEOUT_MS = 5_000;

/** Of a sandbox that is a process of its own. Each call carries the service's clock, which decides what is due. */
export function networkBankMessages(client: SandboxClient): BankMessages {
  const query = async <Line extends { readonly callId: string }>(
    call: Omit<SandboxQuery<Line>, 'deadlineMs'>,
  ): Promise<Line> => {
    const result = await client.query({ ...call, deadlineMs: BANK_TIMEOUT_MS });
    if (result.kind === 'Answered') return result.line;
    throw new SandboxUnreachable(
      result.kind === 'Refused' ? result.refusal.reason : 'the sandbox did not answer',
    );
  };
  return {
    claim: async () => {
      const body = { messagesMax: BANK_MESSAGES_MAX };
      return (await query({ path: WIRE_PATHS.claimMessages, body, isLine: isMessagesLine })).messages;
    },
    settle: async (body) => {
      await query({ path: WIRE_PATHS.settleMessages, body, isLine: isMessageCountLine });
    },
    countDue: async () =>
      (await query({ path: WIRE_PATHS.countMessages, body: {}, isLine: isMessageCountLine })).due,
  };
}
