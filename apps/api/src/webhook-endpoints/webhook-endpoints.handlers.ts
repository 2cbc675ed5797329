import { WEBHOOK_ENDPOINTS } from '../api.parts.js';
import { commandOf, queryOf } from '../use-case.js';

/* Repeated under the same command id, a command does nothing a second time. Merchants and operators use the same ones. */

export class CreateWebhookEndpoint extends commandOf(WEBHOOK_ENDPOINTS, 'create') {}
export class ChangeWebhookEndpoint extends commandOf(WEBHOOK_ENDPOINTS, 'change') {}
export class RotateWebhookSecret extends commandOf(WEBHOOK_ENDPOINTS, 'rotateSecret') {}
export class DeleteWebhookEndpoint extends commandOf(WEBHOOK_ENDPOINTS, 'delete') {}
export class ListWebhookEndpoints extends queryOf(WEBHOOK_ENDPOINTS, 'list') {}
/** Undefined: unknown, deleted, another merchant's, or of the other method. */
export class FindWebhookEndpoint extends queryOf(WEBHOOK_ENDPOINTS, 'find') {}
