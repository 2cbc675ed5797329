/** Structured and allow-listed by whoever implements it: a name of what happened, and fields. */
export interface PaymentsLog {
  info(event: string, fields?: Readonly<Record<string, unknown>>): void;
  warn(event: string, fields?: Readonly<Record<string, unknown>>): void;
  /** Somebody has to look at it. */
  error(event: string, fields?: Readonly<Record<string, unknown>>): void;
}
