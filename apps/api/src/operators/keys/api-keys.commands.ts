import { CommandHandler } from '@nestjs/cqrs';
import type { Provisioning } from '@tillstream/payments';
import { PROVISIONING } from '../../api.parts.js';
import { CommandOf, handlerOf } from '../../use-case.js';

export class IssueApiKey extends CommandOf<Provisioning['issueApiKey']> {}

@CommandHandler(IssueApiKey)
export class IssueApiKeyHandler extends handlerOf(PROVISIONING, 'issueApiKey') {}

export class RevokeApiKey extends CommandOf<Provisioning['revokeApiKey']> {}

@CommandHandler(RevokeApiKey)
export class RevokeApiKeyHandler extends handlerOf(PROVISIONING, 'revokeApiKey') {}

export const API_KEY_HANDLERS = [IssueApiKeyHandler, RevokeApiKeyHandler];
