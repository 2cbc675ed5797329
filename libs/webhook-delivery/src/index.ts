export * from './delivery.store.port.js';
export * from './delivery.types.js';
export * from './events/lifecycle.events.js';
export * from './events/webhook.body.js';
export * from './events/webhook.events.js';
export * from './events/webhook.ids.js';
export * from './numbering/numbering.consumer.js';
export type { BodySealer } from './numbering/page.numbering.js';
export * from './sending/index.js';
