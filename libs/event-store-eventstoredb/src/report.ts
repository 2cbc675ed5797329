/** Told what an operator should know, one line each, never with credentials. */
export type Report = (trouble: string) => void;

/** Says whose trouble it is. What the caller's function throws must not stop the store. */
export function reportOf(server: string, report: Report | undefined): Report {
  if (report === undefined) return () => undefined;
  return (trouble) => {
    try {
      report(`EventStoreDB (${server}): ${trouble}`);
    } catch {
      return;
    }
  };
}
