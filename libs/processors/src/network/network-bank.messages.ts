import { BANK_MESSAGES_MAX, isMessageCountLine, isMessagesLine, WIRE_PATHS } from '@tillstream/sandbox';
import type { BankMessages } from '../sandbox/bank.notices.js';
import { controlQuery } from './network-sandbox.controls.js';
import type { SandboxClient } from './sandbox.client.js';

/** Of a sandbox that is a process of its own. Each call carries the service's clock, which decides what is due. */
export function networkBankMessages(client: SandboxClient): BankMessages {
  return {
    claim: async () => {
      const body = { messagesMax: BANK_MESSAGES_MAX };
      const query = { path: WIRE_PATHS.claimMessages, body, isLine: isMessagesLine };
      return (await controlQuery(client, query)).messages;
    },
    settle: async (body) => {
      await controlQuery(client, { path: WIRE_PATHS.settleMessages, body, isLine: isMessageCountLine });
    },
    countDue: async () => {
      const query = { path: WIRE_PATHS.countMessages, body: {}, isLine: isMessageCountLine };
      return (await controlQuery(client, query)).due;
    },
  };
}
