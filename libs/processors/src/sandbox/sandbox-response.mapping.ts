import { ResponseCode, responseCodeOfTerminalResult, ResultCode } from '@tillstream/domain';
import type { AcquirerRequest, HostResponse, ResponseWithCredential } from '@tillstream/sandbox';
import { toResponseCode } from '../iso8583.table.js';
import type {
  ProcessorResponse,
  CardFacts,
  DefiniteResponse,
  ProcessorFacts,
  VerificationResponse,
} from '../processor.port.js';

export function toDefiniteResponse({ answer, credential }: ResponseWithCredential): DefiniteResponse {
  const facts = processorFacts(answer);
  switch (answer.outcome) {
    case 'Approved':
      return { kind: 'Approved', amount: answer.approvedAmount, facts, ...(credential && { credential }) };
    case 'Declined':
      return { kind: 'Declined', facts };
    case 'BatchClosed':
      return { kind: 'ProcessorBatchClosed', facts };
    case 'CustomerCancelled':
      return { kind: 'CustomerCancelled', facts };
    case 'TookTooLong':
      return { kind: 'TerminalEnded', resultCode: ResultCode.TookTooLong, facts };
  }
}

/** The key of another operation may have an approval without a credential. Then there is no card to store. */
export function toVerificationResponse(answer: ProcessorResponse): VerificationResponse {
  if (answer.kind !== 'Approved') return answer;
  const { credential, facts } = answer;
  if (credential) return { ...answer, credential };
  return { kind: 'Declined', facts: { ...facts, responseCode: ResponseCode.Unknown } };
}

export function terminalEndedResponse(resultCode: ResultCode, request: AcquirerRequest): ProcessorResponse {
  const terminalId = 'terminalId' in request ? request.terminalId : undefined;
  return {
    kind: 'TerminalEnded',
    resultCode,
    facts: {
      responseCode: responseCodeOfTerminalResult(resultCode),
      ...(terminalId !== undefined && { terminalId }),
    },
  };
}

function processorFacts(answer: HostResponse): ProcessorFacts {
  const { card } = answer;
  return {
    responseCode: toResponseCode(answer.hostCode, answer.outcome === 'Approved'),
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

function cardFacts(card: NonNullable<HostResponse['card']>): CardFacts {
  return {
    cardType: card.cardType,
    maskedCardNumber: card.maskedNumber,
    ...(card.fundingType && { fundingType: card.fundingType }),
    ...(card.aid !== undefined && { aid: card.aid }),
    ...(card.tvr !== undefined && { tvr: card.tvr }),
  };
}
