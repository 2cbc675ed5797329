import { join } from 'node:path';
import type { SandboxFacts } from '@tillstream/contracts';

/** What somebody sees who just started it: where it is, the key, and three lines to paste. */
export function welcomeText(
  { baseUrl, apiKey }: SandboxFacts,
  dataDir: string,
  word: string,
  madeMasterKeyFile?: string,
): string {
  const post = (path: string, body: object): string =>
    `curl -s ${baseUrl}/transactions/${path} -H 'x-api-key: ${apiKey}' -H 'content-type: application/json' -d '${JSON.stringify(body)}'`;
  return `
  Tillstream, sandbox: no real money moves here.

  API    ${baseUrl}
  Key    ${apiKey}
  More   ${join(dataDir, 'sandbox.json')}, and the tour in README.md
${madeMasterKeyFile === undefined ? '' : `\n  Stored cards are encrypted under the key in ${madeMasterKeyFile}, made just now: without a copy of it they are lost.\n`}
  Sell something for $12.50, give $2.50 of it back, see a card declined:

${post('physical-sale', { amount: 1250, referenceId: `hello-${word}` })}

${post('refund', { originalReferenceId: `hello-${word}`, amount: 250 })}

${post('physical-sale', { amount: 900_051 })}

  Ctrl-C stops it.
`;
}
