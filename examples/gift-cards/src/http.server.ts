import { createServer, type IncomingMessage, type Server } from 'node:http';
import { giftCardCommand } from './http.command.js';
import type { GiftCardRepository, Result } from './gift-card.repository.js';
import type { LiabilityProjection } from './liability.projection.js';

const BODY_BYTES_MAX = 10_000;

interface Response {
  readonly status: number;
  readonly body: object;
}

/**
 * `PUT /cards/:id`, `POST /cards/:id/redemptions`, `POST /cards/:id/reversals`, `GET /cards/:id`, `GET /liability`. A change
 * needs the header `Idempotency-Key`: the same key on the same card changes it once.
 */
export function giftCardServer(cards: GiftCardRepository, liability: LiabilityProjection): Server {
  return createServer((request, response) => {
    respond(request, cards, liability)
      .catch((): Response => ({ status: 500, body: { code: 'Unknown' } }))
      .then(({ status, body }) => {
        response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
      })
      .catch(() => response.destroy());
  });
}

async function respond(
  request: IncomingMessage,
  cards: GiftCardRepository,
  liability: LiabilityProjection,
): Promise<Response> {
  const { method = '', url = '' } = request;
  if (method === 'GET' && url === '/liability') return { status: 200, body: liability.totals };
  const [, cardId = '', change = ''] = /^\/cards\/(\w{1,64})(\/\w+)?$/.exec(url) ?? [];
  if (cardId === '') return { status: 404, body: { code: 'NotFound' } };
  if (method === 'GET' && change === '')
    return shown(cardId, { kind: 'Done', card: await cards.load(cardId) });

  const commandId = request.headers['idempotency-key'];
  if (typeof commandId !== 'string') return { status: 400, body: { code: 'IdempotencyKeyMissing' } };
  const command = giftCardCommand(`${method} ${change}`, await bodyOf(request), {
    at: new Date().toISOString(),
    commandId,
  });
  if (command === undefined) return { status: 400, body: { code: 'InvalidRequest' } };
  return shown(cardId, await cards.decide(cardId, command));
}

function shown(cardId: string, result: Result): Response {
  if (result.kind === 'Conflict') return { status: 409, body: { code: 'Conflict' } };
  if (result.kind === 'Rejected') {
    const { code } = result.rejection;
    return { status: code === 'CardNotFound' ? 404 : 422, body: result.rejection };
  }
  if (result.card.status === 'None') return { status: 404, body: { code: 'CardNotFound' } };
  return { status: 200, body: { id: cardId, balance: result.card.balance } };
}

/** The JSON of the body; undefined if it is none or too long. */
async function bodyOf(request: IncomingMessage): Promise<unknown> {
  let text = '';
  for await (const chunk of request) {
    text += String(chunk);
    if (text.length > BODY_BYTES_MAX) return undefined;
  }
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
