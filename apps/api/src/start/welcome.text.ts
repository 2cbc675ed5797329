import { join } from 'node:path';
import type { SandboxFacts } from '@tillstream/contracts';

/** The text at the start: the address, the key, and three commands to paste. */
export function welcomeText(
  { baseUrl, apiKey }: SandboxFacts,
  dataDir: string,
  suffix: string,
  madeMasterKeyFile?: string,
): string {
  const post = (path: string, body: object): string =>
    `curl -s ${baseUrl}/transactions/${path} -H 'x-api-key: ${apiKey}' -H 'content-type: application/json' -d '${JSON.stringify(body)}'`;
  return `
  Tillstream, sandbox: no real money moves here.

  Shop   ${new URL('/sandbox/shop', baseUrl).href}
  API    ${baseUrl}
  Key    ${apiKey}
  More   ${join(dataDir, 'sandbox.json')}, and the tour in README.md
${madeMasterKeyFile === undefined ? '' : `\n  Stored cards are encrypted under the key in ${madeMasterKeyFile}, made just now: without a copy of it they are lost.\n`}
  Sell something for $12.50, give $2.50 of it back, see a card declined:

${post('physical-sale', { amount: 1250, referenceId: `hello-${suffix}` })}

${post('refund', { originalReferenceId: `hello-${suffix}`, amount: 250 })}

${post('physical-sale', { amount: 900_051 })}

  Ctrl-C stops it.
`;
}
