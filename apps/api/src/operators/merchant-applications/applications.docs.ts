import { ErrorCode, type MerchantApplication } from '@tillstream/contracts';
import { answer, type EndpointTexts, type Examples } from '../../openapi/endpoint.js';
import { idParameter } from '../../openapi/parameters.js';
import * as s from '../../openapi/response.schema.js';
import { SAMPLE } from '../../openapi/samples.js';

const APPLICATION = s.shape<MerchantApplication>()('MerchantApplication', 'The application of a merchant.', {
  id: s.id('The id of the application.', SAMPLE.application),
  status: s.text(
    '`Started`, `InfoUploaded`, `RequiresAction`, `Submitted`, `Approved`, `Rejected`, or the status of a reviewer.',
    'Submitted',
  ),
  reason: s.optional(s.text('The reason of the last step.', 'The bank statement is missing.')),
  requiredActions: s.optional(
    s.list(
      'What the merchant has to do, while the status is `RequiresAction`.',
      s.text('An action.', 'Upload a bank statement'),
    ),
  ),
});

const { InvalidTransactionType, ResourceNotFound } = ErrorCode;
const rejections = { 400: [InvalidTransactionType], 404: [ResourceNotFound] };
const endpoint = (
  merchant: string,
  status: string,
  texts: { readonly summary: string; readonly description: string; readonly examples?: Examples },
) => ({
  ...texts,
  path: { id: idParameter('The merchant.', merchant) },
  rejections,
  response: answer('The application after the step.', APPLICATION, { id: SAMPLE.application, status }),
});

export const APPLICATION_ENDPOINTS: EndpointTexts = {
  startApplication: endpoint(SAMPLE.merchant, 'Started', {
    summary: 'Start the application of a merchant',
    description: 'A merchant applies once.',
  }),
  uploadApplicationInfo: endpoint(SAMPLE.applicant, 'InfoUploaded', {
    summary: 'Record that the merchant uploaded information',
    description: 'As often as needed, until the application is submitted.',
  }),
  requireApplicationAction: endpoint(SAMPLE.applicant, 'RequiresAction', {
    summary: 'Ask the merchant to do something',
    description: 'As often as needed, until the application is submitted.',
    examples: {
      statement: [
        'A document is missing',
        { reason: 'The bank statement is missing.', requiredActions: ['Upload a bank statement'] },
      ],
    },
  }),
  submitApplication: endpoint(SAMPLE.applicant, 'Submitted', {
    summary: 'Submit the application',
    description: 'The review begins.',
  }),
  changeApplicationStatus: endpoint(SAMPLE.reviewedApplicant, 'UnderReview', {
    summary: 'Change the status of the review',
    description: 'As often as needed, from the submission until the decision.',
    examples: { review: ['An underwriter reads it', { status: 'UnderReview' }] },
  }),
  approveApplication: endpoint(SAMPLE.reviewedApplicant, 'Approved', {
    summary: 'Approve the merchant',
    description: 'After the submission. It is final.',
  }),
  rejectApplication: endpoint(SAMPLE.reviewedApplicant, 'Rejected', {
    summary: 'Reject the merchant',
    description: 'After the submission. It is final.',
    examples: { reason: ['With a reason', { reason: 'The business is not supported.' }] },
  }),
};
