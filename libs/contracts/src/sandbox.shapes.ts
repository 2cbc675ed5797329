import type { PaymentMethodListItem } from './payment-method.shapes.js';

/** A simulated terminal's setting (`docs/spec/sandbox.md#terminals`). */
export interface SandboxTerminal {
  /** The payment method's. */
  id: string;
  mode: string;
  /** A number of the sandbox's table or a name; null: the default card. */
  card: string | null;
  waiting: { transactionId: string; amount: number; currency: string } | null;
}

/** A page of the simulated terminals of all merchants, as `/sandbox` lists them. */
export interface SandboxTerminalPage {
  terminals: SandboxTerminalEntry[];
  /** The id to go on after; null on the last page. */
  next: string | null;
}

export interface SandboxTerminalEntry {
  /** The payment method's. */
  id: string;
  description?: string;
  merchant: string;
  currency: string;
  mode: string;
  /** Whether a transaction waits there for its customer. */
  isWaiting: boolean;
}

/** A simulated terminal as somebody sees it who stands before it. */
export interface SandboxTerminalView {
  id: string;
  description?: string;
  merchant: string;
  currency: string;
  mode: string;
  card: string | null;
  screen: SandboxTerminalScreen;
}

export interface SandboxTerminalScreen {
  kind: 'Idle' | 'AwaitsCard' | 'AwaitsPin' | 'Processing' | 'Ended';
  transactionId?: string;
  /** What the till asked for; `CardCheck` stores a card and has no amount. */
  operation?: 'Sale' | 'Authorization' | 'Refund' | 'CardCheck';
  amount?: number;
  currency?: string;
  /** Until the terminal gives up, by the service's clock. */
  secondsLeft?: number;
  /** Since it ended, in real time. */
  secondsAgo?: number;
  result?: SandboxTerminalEnding;
}

/** How a transaction ended on its terminal. `NoAnswer`: the host said nothing, and the service will find out. */
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
  /** What host or terminal say. */
  text: string;
  resultCode?: number;
  responseCode?: number;
  amountApproved?: number;
  authCode?: string;
  cardType?: string;
  maskedCardNumber?: string;
  entryMode?: string;
}

/** A card that somebody can hold to a simulated terminal. */
export interface SandboxCardChoice {
  /** A number of the sandbox's table, or a name. */
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

/** After the clock was moved: how much work ran, and how much that fell due is left. */
export interface SandboxClockMoved extends SandboxClockReading {
  ran: number;
  pending: number;
}

/** `<data dir>/sandbox.json`: what somebody needs to try the service. */
export interface SandboxFacts {
  /** Ends in `/v1`. */
  baseUrl: string;
  adminBaseUrl: string;
  apiKey: string;
  adminKey: string;
  merchantId: string;
  paymentMethods: PaymentMethodListItem[];
}
