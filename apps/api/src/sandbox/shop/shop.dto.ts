import { RequestSchema, Described } from '../../openapi/request.schema.js';
import { SAMPLE } from '../../openapi/samples.js';
import { OneOf, Text } from '../../validation/field.decorators.js';
import { BOOK_IDS, type BookId } from './shelf.table.js';

@RequestSchema('ShopCheckout', 'A purchase in the demo shop.')
export class ShopCheckoutDto {
  @Described('The book; the shop’s server knows its price.', 'lighthouse-ledger')
  @OneOf(BOOK_IDS, { required: true })
  book!: BookId;
}

@RequestSchema('ShopCardPayment', 'A purchase in the demo shop with a stored card.')
export class ShopCardPaymentDto extends ShopCheckoutDto {
  @Described('A stored card of the shop’s customer.', SAMPLE.token)
  @Text(35, { required: true })
  tokenId!: string;
}
