/* The introductions of the documents: rules of every request. */

const COMMON = `
### Answers
Every success is 200, creations and removals too. Every answer has \`x-trace-id\` (log it) and \`x-api-version\`. Fields
without a value are left out; answers may get new fields, so ignore those that you do not know.

### Values
Nothing is converted: \`"100"\` is no amount. \`null\` counts as left out, \`""\` is invalid, lengths count Unicode code
points, and unknown fields and query parameters are refused. So is a body in which an object has one name twice (2900),
however the name is escaped: readers of JSON disagree on which of the two values counts. Times are RFC 3339 in UTC with milliseconds. Amounts are
integers in the smallest unit of the currency.

### Errors
Every error has the same envelope: \`code\` says what is wrong, \`errorDetails\` names each field, and \`status\` whether to
try again: after \`Rejected\` nothing happened; after \`Interrupted\` or \`Unknown\` look the operation up first.

### Idempotency
Send an \`Idempotency-Key\` with every POST, PUT and DELETE: the same request sent again then gives the first answer again,
byte for byte, and never does anything twice. A \`referenceId\` is no such key.

### Lists
\`limit\` and \`cursor\` page through a list, \`sort\` orders it (\`-\` for descending), and filters narrow it; ids and
enumerations can be given several times and mean any of the values. \`nextCursor\` is null on the last page. \`From\` bounds
are inclusive, \`To\` exclusive.
`;

export const MERCHANTS_TEXT = {
  title: 'Tillstream',
  summary: 'Payments at terminals and with stored cards',
  description: `Take payments, and follow what became of them.

### Keys
Send your API key as \`x-api-key\` or as a bearer token. Keys of a sandbox begin with \`sk_test_\`; one that may only read is
refused on calls that write. An object of another merchant is not found.

### A payment's codes
HTTP 200 does not mean that the payment was approved: \`resultCode\` 0 says that the request succeeded, and
\`transactionResponses[0].responseCode\` 1 that the payment was approved.
${COMMON}
### Rate limit
Per merchant; \`X-RateLimit-*\` show the state of the limit, and a 429 has \`Retry-After\`.`,
  tags: [
    { name: 'Transactions', description: 'Move money, and see what became of it.' },
    {
      name: 'Payment methods',
      description: 'Terminals and hosted forms to take payments with; stored cards and bank accounts.',
    },
    { name: 'Account holders', description: 'The persons behind stored cards and bank accounts.' },
    { name: 'Events', description: 'The contents of future webhooks.' },
  ],
} as const;

export const OPERATORS_TEXT = {
  title: 'Tillstream for operators',
  summary: 'Running the service',
  description: `For the persons who run the service.

### Keys
Send an admin key (\`ak_…\`) as \`x-api-key\` or as a bearer token. Every change is recorded with who made it: the header
\`x-actor\`, else the name of the key.
${COMMON}`,
  tags: [
    { name: 'Merchants', description: 'Who takes payments, with their keys.' },
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
    {
      name: 'Processors',
      description: 'The companies that move the money, and whether the service sends them requests.',
    },
    { name: 'Projections', description: 'The lists that are made from the events, and their rebuilds.' },
    { name: 'Operators', description: 'The admin keys of operators.' },
    { name: 'Sandbox', description: 'Simulated terminals and the clock; not available in live mode.' },
    { name: 'Health', description: 'Whether the service runs; no key is needed.' },
  ],
} as const;
