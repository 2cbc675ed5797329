import type { Method, ApiCallOptions, ApiResponse } from '../support/api.client.js';
import { approvedIn, transactionIn } from '../support/api.client.js';
import { DECLINED } from '../forms/form.client.js';
import { newPerson } from './new.person.js';
import type { Person } from './secrets.evidence.js';

/** A card that the service keeps, and the transactions with it. */
export interface StoredCard {
  readonly tokenId: string;
  readonly holderId: string;
  readonly person: Person;
  readonly transactions: readonly string[];
}

interface OpenedForm {
  readonly transactionId: string;
  /** `/pay/ses_…` */
  readonly path: string;
}

type Insist = (method: Method, path: string, options?: ApiCallOptions) => Promise<ApiResponse | undefined>;

/** Of all cards in forms; a card with 15 digits has one digit more. */
export const SECURITY_CODE = '846';

const FULL = { billingInfoCaptureLevel: 'Full', piiFields: ['Email', 'Phone'] };

/** Enters a card into hosted forms, with the name, the address and the contact of a new person each time. */
export class FormCustomer {
  submissions = 0;

  constructor(
    private readonly insist: Insist,
    private readonly number: string,
  ) {}

  /** A sale, after an attempt with a declined card. The service stores nothing of the person. */
  async buy(): Promise<Person> {
    const { person, fields } = newPerson();
    const form = await this.open('virtual-sale');
    if (!form) return person;
    await this.insist('GET', form.path);
    await this.submit(form, DECLINED, fields);
    await this.submit(form, this.number, fields);
    await this.lookAt(form);
    return person;
  }

  /**
   * Stores the card, and pays with it.
   *
   * @param onPerson called before the person's data are sent
   * @returns undefined if the card was not stored
   */
  async storeCard(onPerson: (person: Person) => void): Promise<StoredCard | undefined> {
    const { person, fields } = newPerson();
    onPerson(person);
    const form = await this.open('token', { accountHolder: fields, description: 'A card' });
    if (!form) return undefined;
    await this.submit(form, this.number, fields);
    const result = approvedIn(await this.lookAt(form));
    if (result?.paymentMethod.type !== 'Token' || result.accountHolderId === undefined) return undefined;
    const tokenId = result.paymentMethod.id;
    const body = { amount: 700, paymentMethodId: tokenId };
    const sale = approvedIn(await this.insist('POST', '/v1/transactions/token-sale', { body }));
    const transactions = [result, sale].flatMap((one) => (one ? [one.id] : []));
    return { tokenId, holderId: result.accountHolderId, person, transactions };
  }

  async open(name: 'virtual-sale' | 'token', more: object = {}): Promise<OpenedForm | undefined> {
    const path = name === 'token' ? '/v1/payment-methods/virtual' : `/v1/transactions/${name}`;
    const body = { ...(name !== 'token' && { amount: 1_000 }), formConfig: FULL, ...more };
    const answer = await this.insist('POST', path, { body });
    const opened = answer && transactionIn(answer);
    return opened?.form && { transactionId: opened.id, path: `/pay/${opened.form.sessionId}` };
  }

  private async submit(
    { path }: OpenedForm,
    number: string,
    { name, email, phone, billingContact }: ReturnType<typeof newPerson>['fields'],
  ): Promise<void> {
    const cvv = number.length === 15 ? `${SECURITY_CODE}2` : SECURITY_CODE;
    const card = { number, expDate: '1234', cvv };
    const body = { card, billingContact: { ...billingContact, name, state: 'NY' }, email, phone };
    const answer = await this.insist('POST', `${path}/submit`, { body });
    if (answer?.status === 200) this.submissions++;
  }

  private async lookAt({ path, transactionId }: OpenedForm): Promise<ApiResponse | undefined> {
    await this.insist('GET', `${path}/session`);
    return this.insist('GET', `/v1/transactions/${transactionId}`);
  }
}
