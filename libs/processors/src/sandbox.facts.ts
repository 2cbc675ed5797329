import type { HostAnswer } from '@tillstream/sandbox';
import { responseCodeOf } from './iso8583.table.js';
import type { CardFacts, DefiniteAnswer, ProcessorFacts } from './processor.port.js';

/** What the sandbox's acquirer said, in the words of the port. */
export function definiteAnswer(answer: HostAnswer): DefiniteAnswer {
  const facts = processorFacts(answer);
  switch (answer.outcome) {
    case 'Approved':
      return { kind: 'Approved', amount: answer.approvedAmount, facts };
    case 'Declined':
      return { kind: 'Declined', facts };
    case 'BatchClosed':
      return { kind: 'ProcessorBatchClosed', facts };
  }
}

function processorFacts(answer: HostAnswer): ProcessorFacts {
  const { card } = answer;
  return {
    responseCode: responseCodeOf(answer.hostCode, answer.outcome === 'Approved'),
    gatewayTransactionId: answer.gatewayTransactionId,
    hostCode: answer.hostCode,
    hostText: answer.hostText,
    ...(answer.authCode !== undefined && { authCode: answer.authCode }),
    ...(answer.networkTransactionId !== undefined && { networkTransactionId: answer.networkTransactionId }),
    ...(answer.entryMode && { entryMode: answer.entryMode }),
    ...(answer.terminalId !== undefined && { terminalId: answer.terminalId }),
    ...(card && { card: cardFacts(card) }),
    ...(card?.fundingType && { accountType: card.fundingType }),
    ...(answer.avsResult && { avsResult: answer.avsResult }),
    ...(answer.cvvResult && { cvvResult: answer.cvvResult }),
  };
}

function cardFacts(card: NonNullable<HostAnswer['card']>): CardFacts {
  return {
    cardType: card.cardType,
    maskedCardNumber: card.maskedNumber,
    ...(card.fundingType && { fundingType: card.fundingType }),
    ...(card.aid !== undefined && { aid: card.aid }),
    ...(card.tvr !== undefined && { tvr: card.tvr }),
  };
}
