import type { Reply } from './test.api.js';

const PATIENCE_MS = 20_000;
const LOOK_AGAIN_MS = 100;

/** Looks again and again until it is so: what an instance believes for 2 s may be seen as late as that. */
export async function eventually(isSo: () => Promise<boolean>): Promise<void> {
  const since = Date.now();
  while (!(await isSo())) {
    if (Date.now() - since > PATIENCE_MS) throw new Error('it never was so');
    await new Promise((resume) => setTimeout(resume, LOOK_AGAIN_MS));
  }
}

/** What a 200 says. */
export function answered<Resource>(reply: Reply): Resource {
  if (reply.status !== 200) throw new Error(`${reply.status} ${reply.text}`);
  return JSON.parse(reply.text) as Resource;
}
