/* The introductions of the documents: rules of every request. */

const COMMON = `
### Responses
Every success is 200, also of creations and removals. Every response has \`x-trace-id\` (log it) and \`x-api-version\`.
Fields without a value are left out. Later versions may add fields to responses: ignore those that you do not know.

### Values
The service converts no value: \`"100"\` is not an amount. \`null\` counts as left out; \`""\` is invalid. Lengths count
Unicode code points. The service refuses unknown fields and query parameters. It also refuses a body in which an object has
the same name twice (2900), even if one of them is escaped, because parsers of JSON disagree on which value counts. Times
are RFC 3339 in UTC with milliseconds. Amounts are integers in the smallest unit of the currency.

### Errors
Every error has the same envelope: \`code\` is the kind of error, \`errorDetails\` names each field, and \`status\` says
whether you can try again. After \`Rejected\` nothing happened. After \`Interrupted\` or \`Unknown\` look the operation up
first.

### Idempotency
Send an \`Idempotency-Key\` with every POST, PUT and DELETE: the same request sent again then gets the first response again,
byte for byte, and is executed only once. A \`referenceId\` does not have this effect.

### Lists
\`limit\` and \`cursor\` page through a list, \`sort\` orders it (\`-\` for descending), and filters narrow it; ids and
enumerations can be given several times: the list then contains items with any of the values. \`nextCursor\` is null on the
last page. \`From\` bounds
are inclusive, \`To\` exclusive. With \`Accept: text/csv\` a list answers CSV for a spreadsheet, with the next cursor in
\`x-next-cursor\`.
`;

export const MERCHANTS_TEXT = {
  title: 'Tillstream',
  summary: 'Payments at terminals, through hosted forms and with stored cards',
  description: `Take payments, and look up their outcomes.

### Keys
Send your API key as \`x-api-key\` or as a bearer token. Keys of a sandbox begin with \`sk_test_\`; a read-only key is
refused on calls that write. An object of another merchant is not found (404).

### A payment's codes
HTTP 200 does not mean that the payment was approved: \`resultCode\` 0 says that the request succeeded, and
\`transactionResponses[0].responseCode\` 1 that the payment was approved.
${COMMON}
### Rate limit
Per merchant; \`X-RateLimit-*\` show the state of the limit, and a 429 has \`Retry-After\`.`,
  tags: [
    { name: 'Transactions', description: 'Move money, and look up the outcome.' },
    {
      name: 'Payment methods',
      description: 'Terminals and hosted forms to take payments with; stored cards and bank accounts.',
    },
    { name: 'Account holders', description: 'The persons behind stored cards and bank accounts.' },
    { name: 'Settlements', description: 'What is paid out, its items, and fees.' },
    { name: 'Webhook endpoints', description: 'The addresses that get a merchant’s events.' },
    { name: 'Events', description: 'The bodies of the webhooks that the service sends.' },
  ],
} as const;

export const OPERATORS_TEXT = {
  title: 'Tillstream for operators',
  summary: 'Running the service',
  description: `For the persons who run the service.

### Keys
Send an admin key (\`ak_…\`) as \`x-api-key\` or as a bearer token. Every change is recorded with the name of its actor:
the header \`x-actor\`, else the name of the key.
${COMMON}`,
  tags: [
    { name: 'Merchants', description: 'The businesses that take payments, with their keys.' },
    { name: 'Pricing', description: 'What merchants pay: templates, each a version with a decision.' },
    { name: 'Payment methods', description: 'Terminals and hosted forms of merchants.' },
    {
      name: 'Unknown outcomes',
      description:
        'Operations whose outcome is unknown. The service inquires by itself; operators can resolve them.',
    },
    {
      name: 'Batches',
      description: 'A merchant’s captured and refunded operations, from one cut-off to the next.',
    },
    { name: 'Settlements', description: 'Funding, chargebacks and adjustments.' },
    {
      name: 'Processors',
      description:
        'The companies that move the money. Operators stop and resume the sending of attempts to them.',
    },
    { name: 'Projections', description: 'The lists that are made from the events, and their rebuilds.' },
    { name: 'Operators', description: 'The admin keys of operators.' },
    { name: 'Sandbox', description: 'Simulated terminals and the clock; not available in live mode.' },
    { name: 'Health', description: 'Whether the service can take requests; no key is needed.' },
  ],
} as const;
