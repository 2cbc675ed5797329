import type { FrameLocator, Page } from 'playwright-core';

/** A form in a window of its own, or in an iframe. */
export type ShownForm = Pick<FrameLocator | Page, 'getByRole' | 'getByLabel' | 'getByText'>;

export interface EnteredCard {
  readonly number?: string;
  readonly cvv?: string;
  /** Of the billing address; a form that captures more has its own fields. */
  readonly zipCode?: string;
}

/** Fills in a form with `billingInfoCaptureLevel` `Minimal`, in English. */
export async function enterCard(
  form: ShownForm,
  { number = '4242424242424242', cvv = '123', zipCode = '10001' }: EnteredCard = {},
): Promise<void> {
  await form.getByLabel('Card number').fill(number);
  await form.getByLabel('Expiry date').fill('12/34');
  await form.getByLabel('Security code').fill(cvv);
  await form.getByLabel('ZIP code').fill(zipCode);
}

export const submitButton = (form: ShownForm) => form.getByRole('button', { name: /^(Pay|Authorize|Save)/ });

export async function pay(form: ShownForm, card?: EnteredCard): Promise<void> {
  await enterCard(form, card);
  await submitButton(form).click();
}

/** Waits for the screen with this heading. */
export async function showsScreen(form: ShownForm, heading: string | RegExp): Promise<void> {
  await form.getByRole('heading', { level: 1, name: heading }).waitFor();
}

/** Waits for the message about a failed attempt, and returns it. */
export async function noticeOf(form: ShownForm, text: string): Promise<string> {
  const notice = form.getByRole('alert').filter({ hasText: text });
  await notice.waitFor();
  return notice.innerText();
}
