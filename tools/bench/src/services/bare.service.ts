import 'reflect-metadata';
import type { AddressInfo } from 'node:net';
import {
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
import { Sale, Submission, TokenSale, VirtualSale } from './bare.bodies.js';

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
