import { RequestSchema, Described } from '../../openapi/request.schema.js';
import { SAMPLE } from '../../openapi/samples.js';
import { Flag, OneOf, Text } from '../../validation/field.decorators.js';
import { BOOK_IDS, type BookId } from './books.table.js';

class ShopBookDto {
  @Described('The book; the shop’s server knows its price.', 'lighthouse-ledger')
  @OneOf(BOOK_IDS, { required: true })
  book!: BookId;
}

/** Of the demo merchant's forms. `UsAccount` pays in USD by ACH, `CanadianAccount` in CAD by EFT. */
const PAID_WITH = ['Card', 'UsAccount', 'CanadianAccount'] as const;
export type PaidWith = (typeof PAID_WITH)[number];

@RequestSchema('ShopCheckout', 'A purchase in the demo shop.')
export class ShopCheckoutDto extends ShopBookDto {
  @Described(
    'What the form asks for: a card (default), or an account at a bank of the US or of Canada.',
    'Card',
  )
  @OneOf(PAID_WITH)
  paidWith?: PaidWith;
  @Described('Whether the bank verifies the card by 3-D Secure. Default: no.', false)
  @Flag()
  verified?: boolean;
}

@RequestSchema('ShopCardPayment', 'A purchase in the demo shop with a stored card or bank account.')
export class ShopCardPaymentDto extends ShopBookDto {
  @Described('A stored card or bank account of the shop’s customer.', SAMPLE.token)
  @Text(35, { required: true })
  tokenId!: string;
}
