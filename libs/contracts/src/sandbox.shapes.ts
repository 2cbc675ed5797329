import type { PaymentMethodListItem } from './payment-method.shapes.js';

/** The settings of a simulated terminal (`docs/spec/sandbox.md#terminals`). */
export interface SandboxTerminal {
  /** The payment method's id. */
  id: string;
  mode: string;
  /** A number of the sandbox's card table, or a name; null: the default card. */
  card: string | null;
  waiting: { transactionId: string; amount: number; currency: string } | null;
}

/** A page of the simulated terminals of all merchants, for `/sandbox`. */
export interface SandboxTerminalPage {
  terminals: SandboxTerminalEntry[];
  /** The last id of this page; null on the last page. */
  next: string | null;
}

export interface SandboxTerminalEntry {
  /** The payment method's id. */
  id: string;
  description?: string;
  merchant: string;
  currency: string;
  mode: string;
  /** A transaction waits there for its customer. */
  isWaiting: boolean;
}

/** A simulated terminal as its customer sees it. */
export interface SandboxTerminalView extends Omit<SandboxTerminalEntry, 'isWaiting'> {
  card: string | null;
  screen: SandboxTerminalScreen;
}

export interface SandboxTerminalScreen {
  kind: 'Idle' | 'AwaitsCard' | 'AwaitsPin' | 'Processing' | 'Ended';
  transactionId?: string;
  /** The requested operation. `CardCheck` stores a card and has no amount. */
  operation?: 'Sale' | 'Authorization' | 'Refund' | 'CardCheck';
  amount?: number;
  currency?: string;
  /** Until the terminal times out, by the service clock. */
  secondsLeft?: number;
  /** Since the end of the transaction, in real time. */
  secondsAgo?: number;
  result?: SandboxTerminalEnding;
}

/** How a transaction ended on its terminal. `NoAnswer`: the host did not answer; the service resolves the outcome. */
export interface SandboxTerminalEnding {
  outcome:
    | 'Approved'
    | 'PartlyApproved'
    | 'Declined'
    | 'Cancelled'
    | 'TimedOut'
    | 'Failed'
    | 'NoAnswer'
    | 'TakenBack';
  /** The text of the host or terminal. */
  text: string;
  resultCode?: number;
  responseCode?: number;
  amountApproved?: number;
  authCode?: string;
  cardType?: string;
  maskedCardNumber?: string;
  entryMode?: string;
}

/** A card for a simulated terminal. */
export interface SandboxCardChoice {
  /** A number of the sandbox's card table, or a name. */
  value: string;
  /** `VISA ···· 4242`. */
  label: string;
  group: 'Approved' | 'Declined' | 'By name';
  asksForPin: boolean;
}

export interface SandboxClockReading {
  now: string;
  offsetSeconds: number;
}

/** The clock after it was moved, with the number of work items that ran and that are due but have not run. */
export interface SandboxClockMoved extends SandboxClockReading {
  ran: number;
  pending: number;
}

/** `<data dir>/sandbox.json`: the keys and ids to try the service with. */
export interface SandboxFacts {
  /** Ends in `/v1`. */
  baseUrl: string;
  adminBaseUrl: string;
  apiKey: string;
  adminKey: string;
  merchantId: string;
  paymentMethods: PaymentMethodListItem[];
}
