import 'reflect-metadata';
import type { AddressInfo } from 'node:net';
import {
  applyDecorators,
  Body,
  Controller,
  HttpCode,
  Injectable,
  Module,
  Param,
  Post,
  UnauthorizedException,
  UseGuards,
  ValidationPipe,
  type CanActivate,
  type ExecutionContext,
} from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { Type } from 'class-transformer';
import {
  IsBoolean,
  IsCreditCard,
  IsEmail,
  IsIn,
  IsInt,
  IsOptional,
  IsString,
  IsUrl,
  Matches,
  Max,
  MaxLength,
  Min,
  ValidateNested,
} from 'class-validator';

/*
 * The bare handler that the API is compared with: the same framework and HTTP adapter, a guard on the same header, full
 * validation of the same fields and a response of the same bytes; it decides and stores nothing. `http.services.ts`
 * starts it as a process and passes the key and the response in its environment.
 */

const apiKey = process.env['BARE_API_KEY'] ?? '';
const response = JSON.parse(process.env['BARE_RESPONSE'] ?? '{}') as object;
/** The response to the submission of a form. */
const progress = JSON.parse(process.env['BARE_PROGRESS'] ?? '{}') as object;

interface Request {
  readonly headers: Readonly<Record<string, string | undefined>>;
}

@Injectable()
class KeyGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const key = context.switchToHttp().getRequest<Request>().headers['x-api-key'];
    if (key !== apiKey) throw new UnauthorizedException();
    return true;
  }
}

/** Each is the list of decorators that it names. */
const Money = (least: number) => applyDecorators(IsInt(), Min(least), Max(999_999_999));
const Text = (most: number) => applyDecorators(IsString(), MaxLength(most));
const OptionalText = (most: number) => applyDecorators(IsOptional(), Text(most));
const OptionalNumber = (most: number) =>
  applyDecorators(IsOptional(), IsString(), Matches(new RegExp(`^[A-Za-z0-9]{1,${most}}$`)));
const OptionalPart = () => applyDecorators(IsOptional(), Money(0));

class Sale {
  @Money(1) amount!: number;
  @OptionalText(35) paymentMethodId?: string;
  @OptionalNumber(20) invoiceNumber?: string;
  @OptionalNumber(100) orderNumber?: string;
  @OptionalText(100) referenceId?: string;
}

class Breakdown {
  @OptionalPart() amountGoodsAndServices?: number;
  @OptionalPart() tax?: number;
  @OptionalPart() cashback?: number;
  @OptionalPart() tip?: number;
}

class TokenSale {
  @Money(1) amount!: number;
  @IsOptional() @ValidateNested() @Type(() => Breakdown) amountBreakdown?: Breakdown;
  @Text(35) paymentMethodId!: string;
  @OptionalNumber(100) invoiceNumber?: string;
  @OptionalNumber(100) orderNumber?: string;
  @OptionalText(100) referenceId?: string;
  @IsOptional() @IsIn(['Customer', 'Merchant']) initiator?: string;
  @IsOptional() @IsIn(['Recurring', 'Installment', 'Unscheduled']) reason?: string;
}

class FormConfig {
  @IsIn(['Minimal', 'Full']) billingInfoCaptureLevel!: string;
  @IsOptional() @IsBoolean() enable3DSecure?: boolean;
  @IsOptional() @IsIn(['Email', 'Phone'], { each: true }) piiFields?: string[];
}

class VirtualSale {
  @Money(1) amount!: number;
  @IsOptional() @ValidateNested() @Type(() => Breakdown) amountBreakdown?: Breakdown;
  @OptionalText(35) paymentMethodId?: string;
  @OptionalNumber(100) invoiceNumber?: string;
  @OptionalNumber(100) orderNumber?: string;
  @OptionalText(100) referenceId?: string;
  @IsOptional() @IsUrl() returnUrl?: string;
  @IsOptional() @IsBoolean() useJavaScriptCallback?: boolean;
  @IsOptional() @ValidateNested() @Type(() => FormConfig) formConfig?: FormConfig;
}

class Card {
  @Matches(/^\d{12,19}$/) @IsCreditCard() number!: string;
  @Matches(/^(0[1-9]|1[0-2])\d\d$/) expDate!: string;
  @Matches(/^\d{3,4}$/) cvv!: string;
}

class BillingContact {
  @OptionalText(100) name?: string;
  @OptionalText(100) address?: string;
  @OptionalText(100) address2?: string;
  @OptionalText(100) city?: string;
  @OptionalText(100) state?: string;
  @Matches(/^[A-Z]{2}$/) countryCode!: string;
  @Text(10) zipCode!: string;
}

class Submission {
  @ValidateNested() @Type(() => Card) card!: Card;
  @ValidateNested() @Type(() => BillingContact) billingContact!: BillingContact;
  @IsOptional() @IsEmail() email?: string;
  @OptionalText(40) phone?: string;
}

const strict = new ValidationPipe({ whitelist: true, forbidNonWhitelisted: true });

@Controller('v1/transactions')
@UseGuards(KeyGuard)
class Sales {
  @Post('physical-sale')
  @HttpCode(200)
  sale(@Body(strict) { amount }: Sale): object {
    return { ...response, amount };
  }

  @Post('token-sale')
  @HttpCode(200)
  tokenSale(@Body(strict) { amount }: TokenSale): object {
    return { ...response, amount };
  }
}

@Controller()
class Forms {
  @Post('v1/transactions/virtual-sale')
  @UseGuards(KeyGuard)
  @HttpCode(200)
  open(@Body(strict) { amount }: VirtualSale): object {
    return { ...response, amount };
  }

  @Post('pay/:sessionId/submit')
  @HttpCode(200)
  submit(@Param('sessionId') _sessionId: string, @Body(strict) _body: Submission): object {
    return progress;
  }
}

@Module({ controllers: [Sales, Forms] })
class Bare {}

const app = await NestFactory.create(Bare, { logger: false });
await app.listen(0, 'localhost');
const { port } = app.getHttpServer().address() as AddressInfo;
process.stdout.write(`${port}\n`);
process.once('SIGTERM', () => process.exit(0));
