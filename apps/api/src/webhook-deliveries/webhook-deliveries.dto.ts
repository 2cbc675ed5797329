import { EVENT_TYPES_OF } from '@tillstream/domain';
import { Described, RequestSchema } from '../openapi/request.schema.js';
import { ExactlyOneWith, Instant, OneOf, RequiredWith } from '../validation/field.decorators.js';
import { field } from '../validation/field.rule.js';
import { boundOf } from '../validation/instant.js';

@RequestSchema('WebhookTest', 'The event to send an example of.')
export class WebhookTestDto {
  @Described('Its type.', 'sale.completed', 'sale.completed')
  @OneOf(EVENT_TYPES_OF.Managed)
  eventType?: string;
}

/** Two fields that stand together or not at all. The error names the missing one. */
const With = (name: string, other: string): PropertyDecorator =>
  RequiredWith(other, {
    allowed: `given together with ${other}`,
    message: `${name} and ${other} are given together.`,
    objectSchema: { dependentRequired: { [name]: [other] } },
  });

/** The end of a range of time, exclusive. */
const After = (from: string): PropertyDecorator =>
  field({
    allowed: `a time after ${from}`,
    fits: (value, body) => {
      const [start, end] = [body[from], value].map((text) =>
        typeof text === 'string' ? boundOf(text) : undefined,
      );
      return start === undefined || end === undefined || end > start;
    },
  });

@RequestSchema('WebhookReplayRange', 'Which deliveries to send again: `failedSince`, or `from` and `to`.')
export class WebhookReplayDto {
  @Described('Those that were created since then and not delivered.', '2026-08-03T12:00:00.000Z')
  @ExactlyOneWith('failedSince', 'from')
  @Instant()
  failedSince?: string;
  @Described('Those that were created since then, delivered ones too.', '2026-08-03T12:00:00.000Z')
  @With('from', 'to')
  @Instant()
  from?: string;
  @Described('Those that were created before then.', '2026-08-04T12:00:00.000Z')
  @With('to', 'from')
  @Instant()
  @After('from')
  to?: string;
}
