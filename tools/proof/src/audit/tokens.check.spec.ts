import type { Token, TokenProgress, TokenStatus } from '@tillstream/domain';
import { newRequest, type ClientRequest } from '../support/client.request.js';
import { tokenErrors } from './tokens.check.js';

const CREATED = 'trx_01JQ0000000000000000000T00';
const TOKEN = 'pmt_tkn_01JQ0000000000000000000T00';

function token(status: TokenStatus, progress: TokenProgress, { body }: ClientRequest): Token {
  const paymentMethod = { id: TOKEN, type: 'Token', currency: 'USD' } as const;
  const at = '2026-03-01T10:00:00.000Z';
  const times = { createdAt: at, updatedAt: at };
  const { referenceId } = body;
  const operation = { id: CREATED, kind: 'TokenCreate', commandIds: [], referenceId, ...times } as const;
  return {
    status,
    id: TOKEN,
    merchantId: 'mer_1',
    currency: 'USD',
    channel: 'CardPresent',
    paymentMethod,
    operations: [{ ...operation, progress, responses: [], paymentMethod }] as unknown as Token['operations'],
    ...times,
    keysDestroyed: false,
  };
}

const approved: TokenProgress = { status: 'Approved', amount: 0 };
const notExecuted: TokenProgress = { status: 'NotExecuted' };

function answered(one: ClientRequest, status: number, transaction: object): ClientRequest {
  one.responses.push({
    status,
    text: JSON.stringify(transaction),
    replayed: false,
    sentAt: 0,
    receivedAt: 0,
  });
  return one;
}

const success = (id = TOKEN) => ({
  id: CREATED,
  status: 'Completed',
  paymentMethod: { id },
  transactionResponses: [{ responseCode: 1 }],
});
const error = (status: string) => ({ code: 3000, status, errorDetails: [{ details: CREATED }] });
const complaintsOn = (tokens: Token[], requests: ClientRequest[], kept: boolean): string[] =>
  tokenErrors({ tokens, requests, isKept: () => kept });

describe('The audit of stored cards', () => {
  let storing: ClientRequest;
  beforeEach(() => (storing = newRequest('StoreCard', {})));

  it('accepts a stored card with its response, with an unknown outcome, and a request without a response', () => {
    const stored = token('Active', approved, storing);
    expect(complaintsOn([stored], [storing], true)).toEqual([]);
    expect(complaintsOn([stored], [answered(storing, 500, error('Interrupted'))], true)).toEqual([]);
    expect(complaintsOn([stored], [answered(storing, 200, success())], true)).toEqual([]);
    expect(complaintsOn([], [newRequest('StoreCard', {})], false)).toEqual([]);
  });

  it('takes a card that came to nothing, with nothing of it in the vault', () => {
    const failed = token('Failed', notExecuted, storing);
    expect(complaintsOn([failed], [answered(storing, 500, error('Rejected'))], false)).toEqual([]);
  });

  it('sees one that is on its way for ever', () => {
    const pending = token('Pending', { status: 'InFlight' }, storing);
    expect(complaintsOn([pending], [storing], false)).toEqual([
      expect.stringContaining('has no outcome: InFlight'),
    ]);
  });

  it('sees a response that calls a failed card stored, one that names another card, and one that calls a stored card failed', () => {
    const failed = token('Failed', notExecuted, storing);
    expect(complaintsOn([failed], [answered(storing, 200, success())], false)).toHaveLength(1);
    const another = answered(newRequest('StoreCard', {}), 200, success('pmt_tkn_2'));
    expect(complaintsOn([token('Active', approved, another)], [another], true)).toHaveLength(1);
    const rejected = answered(newRequest('StoreCard', {}), 500, error('Rejected'));
    expect(complaintsOn([token('Active', approved, rejected)], [rejected], true)).toEqual([
      expect.stringContaining('answered that nothing happened'),
    ]);
  });

  it('sees one in the vault that came to nothing, and one that is stored and not in the vault', () => {
    expect(complaintsOn([token('Failed', notExecuted, storing)], [storing], true)).toHaveLength(1);
    expect(complaintsOn([token('Active', approved, storing)], [storing], false)).toHaveLength(1);
  });

  it('sees a card without a request, and one request that was begun twice', () => {
    const stored = token('Active', approved, storing);
    expect(complaintsOn([stored], [], true)).toEqual([expect.stringContaining('has no request')]);
    expect(complaintsOn([stored, { ...stored, id: `${TOKEN}2` }], [storing], true)).toEqual([
      expect.stringContaining('begun twice'),
    ]);
  });
});
