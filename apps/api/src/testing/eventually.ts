import type { Reply } from './test.api.js';

const PATIENCE_MS = 20_000;
const POLL_EVERY_MS = 100;

/** Polls until it is true: an instance may cache a value for 2 s. */
export async function eventually(isSo: () => Promise<boolean>): Promise<void> {
  const since = Date.now();
  while (!(await isSo())) {
    if (Date.now() - since > PATIENCE_MS) throw new Error('it never was so');
    await new Promise((resume) => setTimeout(resume, POLL_EVERY_MS));
  }
}

/** The body of a 200. */
export function answered<Resource>(reply: Reply): Resource {
  if (reply.status !== 200) throw new Error(`${reply.status} ${reply.text}`);
  return JSON.parse(reply.text) as Resource;
}
