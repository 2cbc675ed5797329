import {
  ResponseCode,
  responseCodeOfTerminalResult,
  ResultCode,
  type ResponseFacts,
} from '@tillstream/domain';
import type {
  AcquirerRequest,
  AnnulReaction,
  HostResponse,
  InquiryReaction,
  ResponseWithCredential,
} from '@tillstream/sandbox';
import { toResponseCode } from '../iso8583.table.js';
import type {
  AnnulResult,
  DefiniteResponse,
  InquiryResult,
  ProcessorResponse,
  VerificationResponse,
} from '../processor.port.js';

export function toDefiniteResponse({ answer, credential }: ResponseWithCredential): DefiniteResponse {
  const facts = processorFacts(answer);
  switch (answer.outcome) {
    case 'Approved':
      return { kind: 'Approved', amount: answer.approvedAmount, facts, ...(credential && { credential }) };
    case 'Declined':
    case 'Submitted':
      return { kind: answer.outcome, facts };
    case 'BatchClosed':
      return { kind: 'ProcessorBatchClosed', facts };
    case 'CustomerCancelled':
      return { kind: 'CustomerCancelled', facts };
    case 'TookTooLong':
      return { kind: 'TerminalEnded', resultCode: ResultCode.TookTooLong, facts };
  }
}

/** @param found undefined, or the result of another question: the outcome is unknown */
export function toInquiryResult(found: InquiryReaction | AnnulReaction | undefined): InquiryResult {
  switch (found?.kind) {
    case 'Found':
      return { kind: 'Found', answer: toDefiniteResponse(found) };
    case 'NotFound':
    case 'StillRunning':
      return { kind: found.kind };
    default:
      return { kind: 'NoAnswer' };
  }
}

/** @param found as for `toInquiryResult` */
export function toAnnulResult(found: InquiryReaction | AnnulReaction | undefined): AnnulResult {
  if (found?.kind === 'Annulled') return { kind: 'Annulled' };
  if (found?.kind === 'AlreadyExecuted') return { kind: found.kind, answer: toDefiniteResponse(found) };
  return { kind: 'NoAnswer' };
}

/** The key of another operation may have an approval without a credential. Then there is no card to store. */
export function toVerificationResponse(answer: ProcessorResponse): VerificationResponse {
  if (answer.kind !== 'Approved') return answer;
  const { credential, facts } = answer;
  if (credential) return { ...answer, credential };
  return { kind: 'Declined', facts: { ...facts, responseCode: ResponseCode.Unknown } };
}

export function terminalEndedResponse(resultCode: ResultCode, request: AcquirerRequest): ProcessorResponse {
  const { terminalId } = request;
  return {
    kind: 'TerminalEnded',
    resultCode,
    facts: {
      responseCode: responseCodeOfTerminalResult(resultCode),
      ...(terminalId !== undefined && { terminalId }),
    },
  };
}

function processorFacts({
  outcome,
  approvedAmount: _amount,
  card,
  bankAccount,
  ...facts
}: HostResponse): ResponseFacts {
  const accountType = card?.fundingType ?? bankAccount?.accountType;
  return {
    responseCode: toResponseCode(facts.hostCode, outcome === 'Approved'),
    ...facts,
    ...(card && { card: cardFacts(card) }),
    ...(accountType && { accountType }),
  };
}

function cardFacts({
  maskedNumber,
  ...card
}: NonNullable<HostResponse['card']>): NonNullable<ResponseFacts['card']> {
  return { maskedCardNumber: maskedNumber, ...card };
}
