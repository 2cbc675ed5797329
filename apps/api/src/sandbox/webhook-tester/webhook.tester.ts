import type { IncomingHttpHeaders } from 'node:http';
import { Injectable } from '@nestjs/common';
import type { WebhookEndpoint } from '@tillstream/contracts';
import { webhookEndpointShape } from '@tillstream/presentation';
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
  async receive(headers: IncomingHttpHeaders, body: Buffer): Promise<number> {
    const verified = await this.verified(headers, body);
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
  async view(after: number): Promise<TesterView> {
    const endpoint = await this.endpoint.current();
    return {
      endpoint: endpoint ? webhookEndpointShape(endpoint) : null,
      answer: this.answer,
      deliveries: this.deliveries.after(after),
    };
  }

  private async verified(headers: IncomingHttpHeaders, body: Buffer): Promise<Verified> {
    const secret = await this.endpoint.secret();
    if (secret === undefined) return { verification: 'NotOpen' };
    try {
      const { method, payload } = verifyWebhook({ headers, body }, { secrets: { managed: secret } });
      return { verification: method, event: { id: payload.event.id, type: payload.event.type } };
    } catch (error) {
      if (error instanceof WebhookRefusedError) return { verification: error.code };
      throw error;
    }
  }
}
