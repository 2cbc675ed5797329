/*
 * The ids of the examples. They have the right form and name nothing: `service.spec.ts` sends every example with ids of
 * its own in their place.
 */

/** The form of ids with the prefix of `example`, and 26 characters after it. */
export const idPattern = (example: string): string => `^${example.slice(0, -26)}[0-9A-HJKMNP-TV-Z]{26}$`;

/** The form of the ids of payment methods of any type. */
export const PAYMENT_METHOD_ID = '^pmt_[a-z]+_[0-9A-HJKMNP-TV-Z]{26}$';

export const SAMPLE = {
  sale: 'trx_01K4Q0V7M3T8ZC5YB2X9WDEP00',
  refund: 'trx_01K4Q0V7M3T8ZC5YB2X9WDEP01',
  authorization: 'trx_01K4Q0Z9H2N6RKJ4GTW8XAFP00',
  capture: 'trx_01K4Q0Z9H2N6RKJ4GTW8XAFP01',
  terminal: 'pmt_trm_01K4PZX4J6R9T2WQ8VB5NMCHDA',
  form: 'pmt_vrt_01K4PZX9V1B7K3E5D2FYQ6TGSN',
  token: 'pmt_tkn_01K4Q12C8VD3M7YPH5QS9ZET00',
  tokenCreation: 'trx_01K4Q12C8VD3M7YPH5QS9ZET00',
  holder: 'acc_01K4Q1A3B7C9D2E4F6G8H0J1KM',
  unknown: 'trx_01K4Q4F6H8K0M2P4R6T8V0XP00',
  waitingTerminal: 'pmt_trm_01K4PZX7R2T4W6Y8A0C2E4G6J8',
  batch: 'bat_01K4Q2B5C7D9E1F3G5H7J9K1MN',
  apiKey: 'key_01K4Q3D5F7H9K1N3Q5S7V9X1Z3',
  session: 'ses_4kT9wQ2mX7cV1bN8zR5hJ3fD6gL0pYsA',
  webhookEndpoint: 'whe_01K4Q5G7J9M1P3R5T7V9X1Z3B5',
  delivery: 'dlv_01K4Q5K1M3P5R7T9V1X3Z5B7D9',
  event: 'evt_01K4Q5K1N4Q6S8V0X2Z4B6D8F0',
  message: 'msg_01K4Q5K1P5R7T9V1X3Z5B7D9G1',
  legacyWebhookEndpoint: 'whl_01K4Q5H8K0N2Q4S6V8X0Z2B4D6',
  merchant: 'mer_01K4PZWT3E5Y7N9Q2S4V6X8ZAB',
  application: 'app_01K4Q6J9M1P3R5T7V9X1Z3B5D7',
  /** A merchant whose application is being prepared, and one whose application is reviewed. */
  applicant: 'mer_01K4Q6K0N2Q4S6V8X0Z2B4D6F8',
  reviewedApplicant: 'mer_01K4Q6M1P3R5T7V9X1Z3B5D7G9',
  pricingTemplate: 'prt_01K4PZWT3E5Y7N9Q2S4V6X8001',
} as const;

export const SAMPLE_TIME = '2026-08-03T14:05:09.120Z';
export const SAMPLE_TRACE_ID = '4bf92f3577b34da6a3ce929d0e0e4736';
