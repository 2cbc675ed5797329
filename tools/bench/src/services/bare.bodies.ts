import { applyDecorators } from '@nestjs/common';
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

/* The bodies of the bare handler, with the fields that the API's have. `bare.service.ts` validates them. */

/** Each is the list of decorators that it names. */
const Money = (least: number) => applyDecorators(IsInt(), Min(least), Max(999_999_999));
const Text = (most: number) => applyDecorators(IsString(), MaxLength(most));
const OptionalText = (most: number) => applyDecorators(IsOptional(), Text(most));
const OptionalForm = (form: RegExp) => applyDecorators(IsOptional(), IsString(), Matches(form));
const OptionalNumber = (most: number) => OptionalForm(new RegExp(`^[A-Za-z0-9]{1,${most}}$`));
const OptionalObject = (type: () => new () => object) =>
  applyDecorators(IsOptional(), ValidateNested(), Type(type));
const OptionalPart = () => applyDecorators(IsOptional(), Money(0));

class Breakdown {
  @OptionalPart() amountGoodsAndServices?: number;
  @OptionalPart() tax?: number;
  @OptionalPart() cashback?: number;
  @OptionalPart() tip?: number;
}

export class Sale {
  @Money(1) amount!: number;
  @OptionalObject(() => Breakdown) amountBreakdown?: Breakdown;
  @OptionalText(35) paymentMethodId?: string;
  @OptionalNumber(20) invoiceNumber?: string;
  @OptionalNumber(100) orderNumber?: string;
  @OptionalText(100) referenceId?: string;
}

export class TokenSale {
  @Money(1) amount!: number;
  @OptionalObject(() => Breakdown) amountBreakdown?: Breakdown;
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

class BillingContact {
  @OptionalText(100) name?: string;
  @OptionalText(100) address?: string;
  @OptionalText(100) address2?: string;
  @OptionalText(100) city?: string;
  @OptionalText(100) state?: string;
  @Matches(/^[A-Z]{2}$/) countryCode!: string;
  @Text(10) zipCode!: string;
}

class AccountHolder {
  @OptionalText(30) id?: string;
  @OptionalText(100) externalId?: string;
  @OptionalText(100) name?: string;
  @IsOptional() @IsEmail() email?: string;
  @OptionalText(40) phone?: string;
  @OptionalObject(() => BillingContact) billingContact?: BillingContact;
}

export class VirtualSale {
  @Money(1) amount!: number;
  @OptionalObject(() => Breakdown) amountBreakdown?: Breakdown;
  @OptionalText(35) paymentMethodId?: string;
  @OptionalNumber(100) invoiceNumber?: string;
  @OptionalNumber(100) orderNumber?: string;
  @OptionalText(100) referenceId?: string;
  @IsOptional() @IsUrl() returnUrl?: string;
  @IsOptional() @IsBoolean() useJavaScriptCallback?: boolean;
  @OptionalObject(() => FormConfig) formConfig?: FormConfig;
  @OptionalObject(() => AccountHolder) accountHolder?: AccountHolder;
}

class Card {
  @Matches(/^\d{12,19}$/) @IsCreditCard() number!: string;
  @Matches(/^(0[1-9]|1[0-2])\d\d$/) expDate!: string;
  @Matches(/^\d{3,4}$/) cvv!: string;
}

class BankAccount {
  @OptionalForm(/^\d{9}$/) routingNumber?: string;
  @OptionalForm(/^\d{3}$/) institutionNumber?: string;
  @OptionalForm(/^\d{5}$/) transitNumber?: string;
  @OptionalForm(/^\d{4,17}$/) accountNumber?: string;
  @IsOptional() @IsIn(['Checking', 'Savings']) accountType?: string;
  @OptionalText(100) name?: string;
}

class Authorization {
  @Text(20) version!: string;
  @IsIn(['en', 'fr']) language!: string;
}

export class Submission {
  @ValidateNested() @Type(() => Card) card!: Card;
  @OptionalObject(() => BankAccount) bankAccount?: BankAccount;
  @OptionalObject(() => Authorization) authorization?: Authorization;
  @ValidateNested() @Type(() => BillingContact) billingContact!: BillingContact;
  @IsOptional() @IsEmail() email?: string;
  @OptionalText(40) phone?: string;
}
