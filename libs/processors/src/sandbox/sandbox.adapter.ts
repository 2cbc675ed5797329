import type { AcquirerRequest, CardOperation, FollowUpOperation } from '@tillstream/sandbox';
import type {
  AnnulResult,
  AttemptCall,
  FollowUpRequest,
  Inquiry,
  InquiryResult,
  PaymentRequest,
  Processor,
  ProcessorCapabilities,
  ProcessorResponse,
} from '../processor.port.js';
import { toVerificationResponse } from './sandbox-response.mapping.js';

/** The slowest execution of the simulated acquirer (amount 920005). */
const EXECUTION_MS_MAX = 5_000;

/** The operations of the simulated acquirer, for its adapters in process and over a network. */
export abstract class SandboxAdapter implements Processor {
  constructor(readonly name = 'sandbox') {}

  capabilities(): ProcessorCapabilities {
    return { annul: true, idempotentKeys: true, inFlightWindowMs: EXECUTION_MS_MAX, partialApproval: true };
  }

  readonly sale: Processor['sale'] = (request, call) => this.pay('Sale', request, call);
  readonly authorize: Processor['authorize'] = (request, call) => this.pay('Authorize', request, call);
  readonly unreferencedRefund: Processor['unreferencedRefund'] = (request, call) =>
    this.pay('UnreferencedRefund', request, call);
  readonly capture: Processor['capture'] = (request, call) => this.followUp('Capture', request, call);
  readonly void: Processor['void'] = (request, call) => this.followUp('Void', request, call);
  readonly refund: Processor['refund'] = (request, call) => this.followUp('Refund', request, call);
  readonly reverse: Processor['reverse'] = (request, call) => this.followUp('Reverse', request, call);
  readonly verify: Processor['verify'] = async (request, call) =>
    toVerificationResponse(await this.pay('Verify', { ...request, amount: 0 }, call));

  abstract inquire(query: Inquiry): Promise<InquiryResult>;
  abstract annul(query: Inquiry): Promise<AnnulResult>;
  abstract lastTransaction(terminalId: string, query: Inquiry): Promise<InquiryResult>;

  protected abstract send(request: AcquirerRequest, call: AttemptCall): Promise<ProcessorResponse>;

  private pay(
    operation: CardOperation,
    { merchantId, account, channel, amount, currency, ...request }: PaymentRequest,
    call: AttemptCall,
  ): Promise<ProcessorResponse> {
    const { terminalId, card, bankAccount, billing, networkTransactionId } = request;
    const acquirerRequest: AcquirerRequest = {
      operation,
      key: call.key,
      merchantId,
      account,
      channel,
      amount,
      currency,
      ...(terminalId !== undefined && { terminalId }),
      ...(card && { card }),
      ...(bankAccount && { bankAccount }),
      ...(billing?.zipCode !== undefined && { zipCode: billing.zipCode }),
      ...(networkTransactionId !== undefined && { networkTransactionId }),
    };
    return this.send(acquirerRequest, call);
  }

  private followUp(
    operation: FollowUpOperation,
    { merchantId, account, channel, amount, currency, originalKey }: FollowUpRequest,
    call: AttemptCall,
  ): Promise<ProcessorResponse> {
    const { key } = call;
    return this.send({ operation, key, merchantId, account, channel, amount, currency, originalKey }, call);
  }
}
