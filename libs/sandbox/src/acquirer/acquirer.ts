import type {
  AcquirerRequest,
  AnnulReaction,
  HostResponse,
  InquiryReaction,
  Reaction,
  ResponseWithCredential,
} from './acquirer.types.js';
import type { RequestExecution } from './request.execution.js';
import { belongsToAccount, type Ledger, type OperationRow } from '../ledger/ledger.js';
import type { SandboxDatabase } from '../ledger/sandbox.database.js';
import type { Terminals } from '../terminals/terminals.js';
import { storedResponse } from './stored-response.js';

/**
 * The simulated acquirer. Every call is one transaction of the ledger's file, so that several processes can share it.
 * Calls throw `NothingExecuted` if nothing was executed, and the database's error if the commit itself failed.
 */
export class Acquirer {
  constructor(
    private readonly database: SandboxDatabase,
    private readonly ledger: Ledger,
    private readonly terminals: Terminals,
    private readonly execution: RequestExecution,
    private readonly realNow: () => number,
  ) {}

  /** Runs several calls in one transaction, and returns the result or error of each. */
  runTogether<T>(calls: readonly (() => T)[]): PromiseSettledResult<T>[] {
    return this.database.runTogether(calls);
  }

  /** Executes a key when it arrives for the first time. A repeated key gets the first response; an annulled key is refused. */
  execute(request: AcquirerRequest): Reaction {
    return this.database.transaction(() => {
      const known = this.find(request.key);
      if (!known) return this.execution.executeFirst(request, 'FirstSend');
      if (!belongsToAccount(known, request.account)) {
        return { kind: 'Answered', answer: this.execution.foreignKeyResponse(request.key, request) };
      }
      switch (known.state) {
        case 'Waiting':
          return { kind: 'AwaitsCustomer' };
        case 'Lost':
          return this.execution.executeFirst(request, 'SentAgain');
        case 'Annulled':
          return { kind: 'Answered', answer: this.execution.annulledKeyResponse(request.key, request) };
        case 'Running':
          return this.isDue(known)
            ? { kind: 'Answered', ...this.fallenDue(known) }
            : { kind: 'Silent', answersAfterMs: (known.dueAt ?? 0) - this.realNow() };
        case 'BreaksItsWord':
          return { kind: 'Answered', ...this.fallenDue(known) };
        case 'Done':
          return known.silent ? { kind: 'Silent' } : { kind: 'Answered', ...storedResponse(known) };
      }
    });
  }

  /**
   * After `AwaitsCustomer`: returns it again while the customer does nothing, else the result. Executes nothing that is not
   * due.
   */
  pollCustomer(key: string): Reaction {
    const known = this.ledger.find(key);
    // Takes no write lock while nothing has changed.
    if (known?.state === 'Waiting' && !this.execution.terminalTransactions.isDue(known)) {
      return this.isLinkLost(known) ? { kind: 'LinkLost' } : { kind: 'AwaitsCustomer' };
    }
    return this.database.transaction(() => this.reactionTo(this.find(key)));
  }

  /**
   * Returns the outcome of a key. Executes nothing that is not due.
   * @param account left out: the key of any account
   */
  inquire(key: string, account?: string): InquiryReaction {
    return this.database.transaction(() => this.lookUp(key, account));
  }

  /** A key that has not executed never will (`BreaksItsWord` executes all the same). */
  annul(key: string, account?: string): AnnulReaction {
    return this.database.transaction(() => {
      const known = this.find(key);
      // The key of another account never executes under this one.
      if (known && !belongsToAccount(known, account)) return { kind: 'Annulled' };
      if (known?.state === 'Done') return { kind: 'AlreadyExecuted', ...storedResponse(known) };
      if (known && this.isDue(known)) return { kind: 'AlreadyExecuted', ...this.fallenDue(known) };
      if (known?.state !== 'BreaksItsWord') {
        const receivedAt = known?.receivedAt ?? this.realNow();
        const nothing = { silent: false, failingInquiries: 0, batchClosed: false };
        // With the request the terminal and its customer can show the end of the transaction.
        const request = known?.state === 'Waiting' && known.request;
        this.ledger.put({ key, state: 'Annulled', ...(request && { request }), ...nothing, receivedAt });
      }
      return { kind: 'Annulled' };
    });
  }

  /**
   * After `answersAfterMs`: executes the key, unless it was annulled, and returns its response. Other calls execute due keys
   * too, by their stored time.
   */
  executeDue(key: string): HostResponse | undefined {
    return this.database.transaction(() => {
      const known = this.ledger.find(key);
      if (known?.state === 'Running' || known?.state === 'BreaksItsWord') {
        return this.execution.executeDue(known, this.realNow());
      }
      return known?.state === 'Done' ? known.answer : undefined;
    });
  }

  /** The last transaction of a terminal. `NoAnswer` while the terminal has lost its link. */
  lastTransaction(terminalId: string, key: string, account?: string): InquiryReaction {
    return this.database.transaction((): InquiryReaction => {
      if (this.terminals.state(terminalId).mode === 'LostLink') return { kind: 'NoAnswer' };
      const known = this.find(key);
      const request = known?.request;
      const isOnTerminal = request && 'terminalId' in request && request.terminalId === terminalId;
      return isOnTerminal ? this.lookUp(key, account) : { kind: 'NotFound' };
    });
  }

  private reactionTo(known: OperationRow | undefined): Reaction {
    if (known && this.isLinkLost(known)) return { kind: 'LinkLost' };
    switch (known?.state) {
      case 'Waiting':
        return { kind: 'AwaitsCustomer' };
      case 'Done':
        return known.silent ? { kind: 'Silent' } : { kind: 'Answered', ...storedResponse(known) };
      case 'Running':
      case 'BreaksItsWord':
        return this.isDue(known)
          ? { kind: 'Answered', ...this.fallenDue(known) }
          : { kind: 'Silent', answersAfterMs: (known.dueAt ?? 0) - this.realNow() };
      case 'Annulled':
        return known.request
          ? { kind: 'Answered', answer: this.execution.annulledKeyResponse(known.key, known.request) }
          : { kind: 'Silent' };
      case 'Lost':
      case undefined:
        return { kind: 'Silent' };
    }
  }

  private isLinkLost({ request }: OperationRow): boolean {
    if (!request || !('terminalId' in request) || request.terminalId === undefined) return false;
    return this.terminals.state(request.terminalId).mode === 'LostLink';
  }

  private lookUp(key: string, account: string | undefined): InquiryReaction {
    const known = this.find(key);
    if (!known || !belongsToAccount(known, account)) return { kind: 'NotFound' };
    if (known.state === 'Lost' || known.state === 'Annulled') return { kind: 'NotFound' };
    if (known.failingInquiries > 0) {
      this.ledger.countFailedInquiry(key);
      return { kind: 'NoAnswer' };
    }
    if (known.state === 'Done') return { kind: 'Found', ...storedResponse(known) };
    if (this.isDue(known)) return { kind: 'Found', ...this.fallenDue(known) };
    return known.state === 'BreaksItsWord' ? { kind: 'NotFound' } : { kind: 'StillRunning' };
  }

  /** Inside a transaction: first applies the changes that are due at the terminal. */
  private find(key: string): OperationRow | undefined {
    const known = this.ledger.find(key);
    return known?.state === 'Waiting' ? this.execution.terminalTransactions.settle(known) : known;
  }

  private fallenDue(row: OperationRow): ResponseWithCredential {
    return { answer: this.execution.executeDue(row, this.realNow()) };
  }

  private isDue(row: OperationRow): boolean {
    return row.dueAt !== undefined && row.dueAt <= this.realNow();
  }
}
