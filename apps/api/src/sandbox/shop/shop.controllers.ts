import { Body, Controller, Get, Headers, Inject, Param, Post, Res, UseGuards } from '@nestjs/common';
import type { PaymentMethodDetails } from '@tillstream/contracts';
import { Callers } from '../../access/callers.js';
import { ADDRESS, type ListeningAddress } from '../../api.parts.js';
import type { ApiResponse } from '../../http/api.request.js';
import { StrictRequests } from '../../http/endpoint.decorators.js';
import { PageFiles } from '../../http/page.files.js';
import { Page, pageHeaders } from '../../http/page.headers.js';
import { NoFieldsDto } from '../../validation/no-fields.dto.js';
import { OwnNameGuard, OwnOriginGuard } from '../terminal-page/own.origin.js';
import { BOOKS, type Book } from './books.table.js';
import { ShopCardPaymentDto, ShopCheckoutDto } from './shop.dto.js';
import { ShopServer, type ShopExchange } from './shop.server.js';

/** This path is valid from `src/` and from `dist/`. The folder holds nothing but the files of the shop. */
const FILES = new PageFiles(new URL('../../../assets/shop/', import.meta.url));

/** The demo merchant's shop (`docs/spec/sandbox.md#shop`): a page that embeds the hosted form as a merchant's page does. */
@Controller('sandbox/shop')
@Callers('Anyone')
@UseGuards(OwnNameGuard)
@Page({ caching: 'revalidated' })
export class SandboxShopPageController {
  constructor(@Inject(ADDRESS) private readonly address: ListeningAddress) {}

  @Get()
  async page(@Res() response: ApiResponse): Promise<void> {
    // The address of a form begins with this origin; a browser may have opened the shop under another one.
    const sources = { 'frame-src': ["'self'", this.address.publicOrigin as `http${string}`] } as const;
    const headers = pageHeaders({ caching: 'revalidated', sources });
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
    await FILES.sendPage(response, 'shop.html');
  }

  @Get('files/:name')
  file(@Res() response: ApiResponse, @Param('name') name: string): Promise<void> {
    return FILES.send(response, name);
  }
}

/** What the page of the shop asks of the shop's server. */
@Controller('sandbox/shop/data')
@Callers('Anyone')
@StrictRequests()
@UseGuards(OwnOriginGuard)
export class SandboxShopController {
  constructor(private readonly shop: ShopServer) {}

  @Get('books')
  books(): { readonly books: readonly Book[] } {
    return { books: BOOKS };
  }

  @Get('cards')
  async cards(): Promise<{ readonly cards: PaymentMethodDetails[] }> {
    return { cards: await this.shop.savedCards() };
  }

  @Post('checkout')
  checkout(@Body() { book, paidWith = 'Card', verified = false }: ShopCheckoutDto): Promise<ShopExchange> {
    return paidWith === 'Card'
      ? this.shop.checkout(book, verified)
      : this.shop.checkoutByBank(book, paidWith);
  }

  @Post('cards')
  saveCard(@Body() _body: NoFieldsDto): Promise<ShopExchange> {
    return this.shop.saveCard();
  }

  @Post('accounts')
  saveAccount(@Body() _body: NoFieldsDto): Promise<ShopExchange> {
    return this.shop.saveAccount();
  }

  @Post('pay-with-card')
  payWithCard(
    @Body() { tokenId, book }: ShopCardPaymentDto,
    @Headers('idempotency-key') key: string | undefined,
  ): Promise<ShopExchange> {
    return this.shop.payWithCard(tokenId, book, key);
  }

  @Get('transactions/:id')
  transaction(@Param('id') id: string): Promise<ShopExchange> {
    return this.shop.transaction(id);
  }
}
