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
 * What the API is compared with: the same framework on the same HTTP adapter, with a guard on the same header, the same
 * fields validated, and an answer of the same bytes; nothing is decided or stored. A process of its own, started by
 * `http.services.ts` with the key and the answer in its environment.
 */

const apiKey = process.env['BARE_API_KEY'] ?? '';
const answer = JSON.parse(process.env['BARE_ANSWER'] ?? '{}') as object;

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

const asWritten = new ValidationPipe({ whitelist: true, forbidNonWhitelisted: true });

@Controller('v1/transactions')
@UseGuards(KeyGuard)
class Sales {
  @Post('physical-sale')
  @HttpCode(200)
  sale(@Body(asWritten) { amount }: Sale): object {
    return { ...answer, amount };
  }

  @Post('token-sale')
  @HttpCode(200)
  tokenSale(@Body(asWritten) { amount }: TokenSale): object {
    return { ...answer, amount };
  }
}

@Module({ controllers: [Sales] })
class Bare {}

const app = await NestFactory.create(Bare, { logger: false });
await app.listen(0, 'localhost');
const { port } = app.getHttpServer().address() as AddressInfo;
process.stdout.write(`${port}\n`);
process.once('SIGTERM', () => process.exit(0));
