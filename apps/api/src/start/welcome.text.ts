import { join } from 'node:path';
import type { SandboxFacts } from '@tillstream/contracts';

/** What somebody sees who just started it: where it is, the key, and three lines to paste. */
export function welcomeText({ baseUrl, apiKey }: SandboxFacts, dataDir: string, word: string): string {
  const call = `curl -s -H 'x-api-key: ${apiKey}'`;
  const json = `-H 'content-type: application/json'`;
  const sale = `${call} ${json} -H 'idempotency-key: hello-${word}' ${baseUrl}/transactions/physical-sale -d '{"amount":1250,"referenceId":"hello-${word}"}'`;
  return `
  Tillstream, sandbox: no real money moves here.

  API    ${baseUrl}
  Key    ${apiKey}
  More   ${join(dataDir, 'sandbox.json')}

  Sell something for $12.50, look at the sale, void it:

${sale}

${call} ${baseUrl}/transactions/$(${sale} | cut -d'"' -f4)

${call} ${json} ${baseUrl}/transactions/void -d '{"originalReferenceId":"hello-${word}"}'

  Ctrl-C stops it.
`;
}
