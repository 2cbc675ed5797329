/** A structured log: the name of an event and its fields. The implementation allows only listed fields. */
export interface PaymentsLog {
  info(event: string, fields?: Readonly<Record<string, unknown>>): void;
  warn(event: string, fields?: Readonly<Record<string, unknown>>): void;
  /** An operator has to look at it. */
  error(event: string, fields?: Readonly<Record<string, unknown>>): void;
}
