import type { IncomingHttpHeaders } from 'node:http';
import { Injectable } from '@nestjs/common';
import type { WebhookEndpoint } from '@tillstream/contracts';
import { verifyWebhook, WebhookRefusedError } from '@tillstream/webhooks';
import { ReceivedDeliveries, type ReceivedDelivery } from './received.deliveries.js';
import type { TesterAnswer } from './tester.dto.js';
import { TesterEndpoint } from './tester.endpoint.js';

export interface TesterView {
  readonly endpoint: WebhookEndpoint | null;
  readonly answer: TesterAnswer;
  readonly deliveries: readonly ReceivedDelivery[];
}

type Verified = Pick<ReceivedDelivery, 'verification' | 'event'>;

/** Receives deliveries as a merchant's program does, with the published package, and keeps them for the page. */
@Injectable()
export class WebhookTester {
  answer: TesterAnswer = 'Accept';
  private readonly deliveries = new ReceivedDeliveries();

  constructor(private readonly endpoint: TesterEndpoint) {}

  /** Returns the HTTP status to answer. */
  receive(headers: IncomingHttpHeaders, body: Buffer): number {
    const verified = this.verified(headers, body);
    const answered = verified.event === undefined ? 400 : this.answer === 'Accept' ? 200 : 503;
    const { 'hook-id': hookId } = headers;
    this.deliveries.add({
      ...verified,
      answered,
      receivedAt: new Date().toISOString(),
      messageId: typeof hookId === 'string' ? hookId : undefined,
      headers: Object.entries(headers).map(([name, value]) => [name, String(value)] as const),
      body: body.toString('utf8'),
    });
    return answered;
  }

  /** The deliveries after this number. */
  view(after: number): TesterView {
    const { endpoint, answer } = this;
    return { endpoint: endpoint.shown, answer, deliveries: this.deliveries.after(after) };
  }

  private verified(headers: IncomingHttpHeaders, body: Buffer): Verified {
    const { secret } = this.endpoint;
    if (secret === undefined) return { verification: 'SecretUnknown' };
    try {
      const { method, payload } = verifyWebhook({ headers, body }, { secrets: { managed: secret } });
      return { verification: method, event: { id: payload.event.id, type: payload.event.type } };
    } catch (error) {
      if (error instanceof WebhookRefusedError) return { verification: error.code };
      throw error;
    }
  }
}
