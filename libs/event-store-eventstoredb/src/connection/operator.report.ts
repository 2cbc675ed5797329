/** Reports to an operator, in one line without credentials. */
export type OperatorReport = (message: string) => void;

/** Names the server in each report. An error of the caller's function must not stop the store. */
export function prefixedReport(server: string, report: OperatorReport | undefined): OperatorReport {
  if (report === undefined) return () => undefined;
  return (message) => {
    try {
      report(`EventStoreDB (${server}): ${message}`);
    } catch {
      return;
    }
  };
}
