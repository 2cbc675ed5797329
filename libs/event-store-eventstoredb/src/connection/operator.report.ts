/** Told what an operator should know, one line each, never with credentials. */
export type OperatorReport = (trouble: string) => void;

/** Says whose trouble it is. What the caller's function throws must not stop the store. */
export function prefixedReport(server: string, report: OperatorReport | undefined): OperatorReport {
  if (report === undefined) return () => undefined;
  return (trouble) => {
    try {
      report(`EventStoreDB (${server}): ${trouble}`);
    } catch {
      return;
    }
  };
}
