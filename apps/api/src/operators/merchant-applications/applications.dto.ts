import { STEP_STATUSES } from '@tillstream/domain';
import { IsNotIn } from 'class-validator';
import { Described, RequestSchema } from '../../openapi/request.schema.js';
import { isText, Text, textSchema } from '../../validation/field.decorators.js';
import { allows, field } from '../../validation/field.rule.js';
import { ReasonDto } from '../merchants/merchants.dto.js';

const MAX_ACTIONS = 20;
const MAX_ACTION_LENGTH = 200;
const MAX_STATUS_LENGTH = 50;

const RequiredActions = (): PropertyDecorator =>
  field({
    allowed: `a list of 1 to ${MAX_ACTIONS} texts of 1 to ${MAX_ACTION_LENGTH} characters`,
    required: true,
    fits: (value) =>
      Array.isArray(value) &&
      value.length > 0 &&
      value.length <= MAX_ACTIONS &&
      value.every((action) => isText(action, MAX_ACTION_LENGTH)),
    schema: { type: 'array', items: textSchema(MAX_ACTION_LENGTH), minItems: 1, maxItems: MAX_ACTIONS },
  });

const ReviewStatus = (): PropertyDecorator =>
  IsNotIn(
    STEP_STATUSES,
    allows(`a text other than ${STEP_STATUSES.join(', ')}`, { schema: { not: { enum: STEP_STATUSES } } }),
  );

@RequestSchema('ApplicationAction', 'What the merchant has to do.')
export class RequireActionDto extends ReasonDto {
  @Described('What the merchant has to do.', ['Upload a bank statement'])
  @RequiredActions()
  requiredActions!: string[];
}

@RequestSchema('ApplicationStatus', 'The status that a reviewer gives.')
export class ChangeStatusDto extends ReasonDto {
  @Described('The status; those that steps of their own give are not allowed.', 'UnderReview')
  @Text(MAX_STATUS_LENGTH, { required: true })
  @ReviewStatus()
  status!: string;
}
