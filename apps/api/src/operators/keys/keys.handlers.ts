import { PROVISIONING } from '../../api.parts.js';
import { commandOf, queryOf } from '../../use-case.js';

export class ListAdminKeys extends queryOf(PROVISIONING, 'listAdminKeys') {}
export class IssueApiKey extends commandOf(PROVISIONING, 'issueApiKey') {}
export class RevokeApiKey extends commandOf(PROVISIONING, 'revokeApiKey') {}
