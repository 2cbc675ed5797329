import type {
  CardNumber,
  DefiniteResponse,
  PaymentRequest,
  Processor,
  ProcessorToken,
} from '../processor.port.js';

/**
 * Wraps a processor whose credentials are card numbers, and returns tokens instead. It keeps its tokens when its adapter is
 * made again. A token is valid only under the account of its verification.
 */
export class TokenizingProcessor {
  private readonly cards = new Map<string, CardNumber & { readonly account: string }>();

  wrap(behind: Processor): Processor {
    const withCard = (request: PaymentRequest): PaymentRequest => {
      const { cardToken, ...rest } = request;
      const kept = cardToken && this.cards.get(cardToken.token);
      if (!kept || kept.account !== request.account) return rest;
      return { ...rest, card: { number: kept.number, expDate: kept.expDate } };
    };
    const own: Omit<Processor, 'name' | 'capabilities' | 'capture' | 'void' | 'refund' | 'reverse'> = {
      sale: (request, call) => behind.sale(withCard(request), call),
      authorize: (request, call) => behind.authorize(withCard(request), call),
      unreferencedRefund: (request, call) => behind.unreferencedRefund(withCard(request), call),
      verify: async (request, call) => {
        const answer = await behind.verify(request, call);
        if (answer.kind !== 'Approved') return answer;
        return { ...answer, credential: this.tokenOf(answer.credential, request.account) };
      },
      inquire: async (query) => {
        const found = await behind.inquire(query);
        return found.kind === 'Found'
          ? { ...found, answer: this.withToken(found.answer, query.account) }
          : found;
      },
      annul: async (query) => {
        const found = await behind.annul(query);
        return found.kind === 'AlreadyExecuted'
          ? { ...found, answer: this.withToken(found.answer, query.account) }
          : found;
      },
      lastTransaction: async (terminalId, query) => {
        const found = await behind.lastTransaction(terminalId, query);
        return found.kind === 'Found'
          ? { ...found, answer: this.withToken(found.answer, query.account) }
          : found;
      },
    };
    return Object.assign(Object.create(behind) as Processor, own);
  }

  private withToken(answer: DefiniteResponse, account: string): DefiniteResponse {
    if (answer.kind !== 'Approved' || !answer.credential) return answer;
    return { ...answer, credential: this.tokenOf(answer.credential, account) };
  }

  /** The same card of an account gets the same token. */
  private tokenOf(credential: CardNumber | ProcessorToken, account: string): ProcessorToken {
    if ('token' in credential) return credential;
    const { number, expDate } = credential;
    const known = [...this.cards].find(
      ([, kept]) => kept.number === number && kept.expDate === expDate && kept.account === account,
    );
    const token = known?.[0] ?? `tok_${this.cards.size + 1}`;
    this.cards.set(token, { number, expDate, account });
    return { token, expDate };
  }
}
