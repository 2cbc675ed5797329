import {
  BATCH_CATEGORY,
  batchCodec,
  HOLDER_CATEGORY,
  holderCodec,
  MERCHANT_APPLICATION_CATEGORY,
  merchantApplicationCodec,
  merchantCodec,
  NOTICE_CATEGORY,
  noticeCodec,
  PAYMENT_CATEGORY,
  paymentCodec,
  PRICING_TEMPLATES_CATEGORY,
  pricingTemplateCodec,
  SETTLEMENT_CATEGORY,
  SETTLEMENT_PAGE_CATEGORY,
  settlementCodec,
  settlementPageCodec,
  TOKEN_CATEGORY,
  tokenCodec,
  UnknownEvent,
  WEBHOOK_ENDPOINTS_CATEGORY,
  webhookEndpointCodec,
  type EventCodec,
} from '@tillstream/domain';
import { streamCategory, type RecordedEvent } from '@tillstream/event-store';

type Codec = Pick<EventCodec<{ readonly type: string; readonly data: object }>, 'decode'>;

/** Of every category that a projection reads. */
const CODECS: ReadonlyMap<string, Codec> = new Map<string, unknown>([
  [BATCH_CATEGORY, batchCodec],
  [HOLDER_CATEGORY, holderCodec],
  [MERCHANT_APPLICATION_CATEGORY, merchantApplicationCodec],
  ['merchant', merchantCodec],
  [NOTICE_CATEGORY, noticeCodec],
  [PAYMENT_CATEGORY, paymentCodec],
  [PRICING_TEMPLATES_CATEGORY, pricingTemplateCodec],
  [SETTLEMENT_CATEGORY, settlementCodec],
  [SETTLEMENT_PAGE_CATEGORY, settlementPageCodec],
  [TOKEN_CATEGORY, tokenCodec],
  [WEBHOOK_ENDPOINTS_CATEGORY, webhookEndpointCodec],
]) as ReadonlyMap<string, Codec>;

export const KNOWN_CATEGORIES: readonly string[] = [...CODECS.keys()];

/** What is wrong with an event. */
export interface EventProblem {
  /** `Unknown`: to this version of the program. `Unreadable`: the store has it, and its content is damaged. */
  readonly kind: 'Unknown' | 'Unreadable';
  readonly revision: number;
  readonly reason: string;
}

/** Undefined if this version of the program knows the event. */
export function problemOf({
  stream,
  revision,
  type,
  data,
  metadata,
}: RecordedEvent): EventProblem | undefined {
  const { schemaVersion } = metadata;
  try {
    // 0, which no event has, if the metadata has none.
    const version = typeof schemaVersion === 'number' ? schemaVersion : 0;
    CODECS.get(streamCategory(stream))?.decode({ type, data, schemaVersion: version });
    return undefined;
  } catch (error) {
    if (error instanceof UnknownEvent) return { kind: 'Unknown', revision, reason: error.message };
    // The error may quote the content.
    return { kind: 'Unreadable', revision, reason: `its data does not have the form of ${type}` };
  }
}
