import type {
  AcquirerRequest,
  AnnulReaction,
  HostCode,
  HostResponse,
  InquiryReaction,
  Reaction,
  ResponseWithCredential,
} from './acquirer.types.js';
import { HOST_CODE } from './host-codes.table.js';
import { hostResponse, storedResponse } from './host-response.js';
import type { RequestExecution } from './request.execution.js';
import { belongsToAccount, NO_EFFECTS, type OperationRow, type StoredRequest } from '../ledger/ledger.js';
import type { SandboxParts } from '../sandbox.parts.js';

/**
 * The simulated acquirer. Every call is one transaction of the ledger's file, so that several processes can share it.
 * Calls throw `NothingExecuted` if nothing was executed, and the database's error if the commit itself failed.
 */
export class Acquirer {
  constructor(
    private readonly parts: SandboxParts,
    private readonly execution: RequestExecution,
  ) {}

  /** Runs several calls in one transaction, and returns the result or error of each. */
  runTogether<T>(calls: readonly (() => T)[]): PromiseSettledResult<T>[] {
    return this.parts.database.runTogether(calls);
  }

  /** Executes a key when it arrives for the first time. A repeated key gets the first response; an annulled key is refused. */
  execute(request: AcquirerRequest): Reaction {
    return this.parts.database.transaction(() => {
      const { key, account } = request;
      const known = this.find(key);
      if (!known) return this.execution.executeFirst(request, 'FirstSend');
      if (!belongsToAccount(known, account)) return refusal(key, request, HOST_CODE.RecordNotFound);
      switch (known.state) {
        case 'Lost':
          return this.execution.executeFirst(request, 'SentAgain');
        case 'Annulled':
          return refusal(key, request, HOST_CODE.Annulled);
        case 'BreaksItsWord':
          return { kind: 'Answered', ...this.executed(known) };
        default:
          return this.reactionTo(known);
      }
    });
  }

  /**
   * Whether `execute` would refuse the connection (amount 920004). Writes nothing. An adapter over a network asks before it
   * sends.
   */
  refusesConnection(request: AcquirerRequest): boolean {
    return this.parts.database.dryRun(() => {
      const known = this.parts.ledger.find(request.key);
      if (known && known.state !== 'Lost') return false;
      const { kind } = this.execution.executeFirst(request, known ? 'SentAgain' : 'FirstSend');
      return kind === 'ConnectionRefused';
    });
  }

  /**
   * After `AwaitsCustomer`: returns it again while the customer does nothing, else the result. Executes nothing that is not
   * due.
   */
  pollCustomer(key: string): Reaction {
    const known = this.parts.ledger.find(key);
    // Takes no write lock while nothing has changed.
    if (known?.state === 'Waiting' && !this.execution.terminalTransactions.isDue(known)) {
      return this.isLinkLost(known) ? { kind: 'LinkLost' } : { kind: 'AwaitsCustomer' };
    }
    return this.parts.database.transaction((): Reaction => {
      const current = this.find(key);
      if (!current) return { kind: 'Silent' };
      return this.isLinkLost(current) ? { kind: 'LinkLost' } : this.reactionTo(current);
    });
  }

  /**
   * Returns the outcome of a key. Executes nothing that is not due.
   * @param account left out: the key of any account
   */
  inquire(key: string, account?: string): InquiryReaction {
    return this.parts.database.transaction(() => this.lookUp(key, account));
  }

  /** A key that has not executed never will (`BreaksItsWord` executes all the same). */
  annul(key: string, account?: string): AnnulReaction {
    return this.parts.database.transaction(() => {
      const known = this.find(key);
      // The key of another account never executes under this one.
      if (known && !belongsToAccount(known, account)) return { kind: 'Annulled' };
      if (known && hasResponse(known)) return { kind: 'AlreadyExecuted', ...storedResponse(known) };
      if (known && this.isDue(known)) return { kind: 'AlreadyExecuted', ...this.executed(known) };
      if (known?.state !== 'BreaksItsWord') {
        const receivedAt = known?.receivedAt ?? this.parts.times.realNow();
        // With the request the terminal and its customer can show the end of the transaction.
        const request = known?.state === 'Waiting' && known.request;
        this.parts.ledger.put({
          key,
          state: 'Annulled',
          ...(request && { request }),
          ...NO_EFFECTS,
          receivedAt,
        });
      }
      return { kind: 'Annulled' };
    });
  }

  /**
   * After `answersAfterMs`: executes the key, unless it was annulled, and returns its response. Other calls execute due keys
   * too, by their stored time.
   */
  executeDue(key: string): HostResponse | undefined {
    return this.parts.database.transaction(() => {
      const known = this.parts.ledger.find(key);
      if (known?.state === 'Running' || known?.state === 'BreaksItsWord') return this.executed(known).answer;
      return known && hasResponse(known) ? storedResponse(known).answer : undefined;
    });
  }

  /** The last transaction of a terminal. `NoAnswer` while the terminal has lost its link. */
  lastTransaction(terminalId: string, key: string, account?: string): InquiryReaction {
    return this.parts.database.transaction((): InquiryReaction => {
      if (this.parts.terminals.state(terminalId).mode === 'LostLink') return { kind: 'NoAnswer' };
      const isOnTerminal = this.find(key)?.request?.terminalId === terminalId;
      return isOnTerminal ? this.lookUp(key, account) : { kind: 'NotFound' };
    });
  }

  private reactionTo(known: OperationRow): Reaction {
    const { state, silent, key, request, dueAt = 0 } = known;
    switch (state) {
      case 'Waiting':
        return { kind: 'AwaitsCustomer' };
      case 'Submitted':
      case 'Done':
        return silent ? { kind: 'Silent' } : { kind: 'Answered', ...storedResponse(known) };
      case 'Running':
      case 'BreaksItsWord':
        return this.isDue(known)
          ? { kind: 'Answered', ...this.executed(known) }
          : { kind: 'Silent', answersAfterMs: dueAt - this.parts.times.realNow() };
      case 'Annulled':
        return request ? refusal(key, request, HOST_CODE.Annulled) : { kind: 'Silent' };
      case 'Lost':
        return { kind: 'Silent' };
    }
  }

  private isLinkLost({ request }: OperationRow): boolean {
    const terminalId = request?.terminalId;
    return terminalId !== undefined && this.parts.terminals.state(terminalId).mode === 'LostLink';
  }

  private lookUp(key: string, account: string | undefined): InquiryReaction {
    const known = this.find(key);
    if (!known || !belongsToAccount(known, account)) return { kind: 'NotFound' };
    if (known.state === 'Lost' || known.state === 'Annulled') return { kind: 'NotFound' };
    if (known.failingInquiries > 0) {
      this.parts.ledger.countFailedInquiry(key);
      return { kind: 'NoAnswer' };
    }
    if (hasResponse(known)) return { kind: 'Found', ...storedResponse(known) };
    if (this.isDue(known)) return { kind: 'Found', ...this.executed(known) };
    return known.state === 'BreaksItsWord' ? { kind: 'NotFound' } : { kind: 'StillRunning' };
  }

  /** Inside a transaction: first applies the changes that are due at the terminal or at the bank. */
  private find(key: string): OperationRow | undefined {
    const known = this.parts.ledger.find(key);
    return known && this.execution.settle(known);
  }

  private executed(row: OperationRow): ResponseWithCredential {
    return { answer: this.execution.executeDue(row, this.parts.times.realNow()) };
  }

  private isDue({ dueAt }: OperationRow): boolean {
    return dueAt !== undefined && dueAt <= this.parts.times.realNow();
  }
}

/** `Submitted` has a response until the bank's answer. */
function hasResponse({ state }: OperationRow): boolean {
  return state === 'Done' || state === 'Submitted';
}

/** The response to a key that never executes under this request. */
function refusal(key: string, request: StoredRequest, hostCode: HostCode): Reaction {
  return { kind: 'Answered', answer: hostResponse(key, request, { hostCode }) };
}
