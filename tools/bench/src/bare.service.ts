import 'reflect-metadata';
import type { AddressInfo } from 'node:net';
import {
  Body,
  Controller,
  HttpCode,
  Injectable,
  Module,
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
  IsIn,
  IsInt,
  IsOptional,
  IsString,
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

class Sale {
  @IsInt()
  @Min(1)
  @Max(999_999_999)
  amount!: number;

  @IsOptional()
  @IsString()
  @MaxLength(35)
  paymentMethodId?: string;

  @IsOptional()
  @IsString()
  @Matches(/^[A-Za-z0-9]{1,20}$/)
  invoiceNumber?: string;

  @IsOptional()
  @IsString()
  @Matches(/^[A-Za-z0-9]{1,100}$/)
  orderNumber?: string;

  @IsOptional()
  @IsString()
  @MaxLength(100)
  referenceId?: string;
}

class Breakdown {
  @IsOptional()
  @IsInt()
  @Min(0)
  @Max(999_999_999)
  amountGoodsAndServices?: number;

  @IsOptional()
  @IsInt()
  @Min(0)
  @Max(999_999_999)
  tax?: number;

  @IsOptional()
  @IsInt()
  @Min(0)
  @Max(999_999_999)
  cashback?: number;

  @IsOptional()
  @IsInt()
  @Min(0)
  @Max(999_999_999)
  tip?: number;
}

class TokenSale {
  @IsInt()
  @Min(1)
  @Max(999_999_999)
  amount!: number;

  @IsOptional()
  @ValidateNested()
  @Type(() => Breakdown)
  amountBreakdown?: Breakdown;

  @IsString()
  @MaxLength(35)
  paymentMethodId!: string;

  @IsOptional()
  @IsString()
  @Matches(/^[A-Za-z0-9]{1,100}$/)
  invoiceNumber?: string;

  @IsOptional()
  @IsString()
  @Matches(/^[A-Za-z0-9]{1,100}$/)
  orderNumber?: string;

  @IsOptional()
  @IsString()
  @MaxLength(100)
  referenceId?: string;

  @IsOptional()
  @IsIn(['Customer', 'Merchant'])
  initiator?: string;

  @IsOptional()
  @IsIn(['Recurring', 'Installment', 'Unscheduled'])
  reason?: string;
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

@Module({ controllers: [Sales] })
class Bare {}

const app = await NestFactory.create(Bare, { logger: false });
await app.listen(0, 'localhost');
const { port } = app.getHttpServer().address() as AddressInfo;
process.stdout.write(`${port}\n`);
process.once('SIGTERM', () => process.exit(0));
