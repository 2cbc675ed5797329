import type { PaymentMethodListItem } from './payment-method.shapes.js';

/** A simulated terminal's setting (`sandbox.md`, Terminals). */
export interface SandboxTerminal {
  /** The payment method's. */
  id: string;
  mode: string;
  /** A number of the sandbox's table or a name; null: the default card. */
  card: string | null;
  waiting: { transactionId: string; amount: number; currency: string } | null;
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
