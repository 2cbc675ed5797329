import type { Authentication } from '@tillstream/payments';
import type { ApiRequest } from '../http/api.request.js';
import { AdminKeyCredential } from './admin.key.js';
import { MerchantKeyCredential } from './merchant.key.js';

const FORMS = ['sk_test_', 'sk_live_', 'ak_', 'pk_test_', 'ses_'];
const sent = (key: string) => ({ headersDistinct: { 'x-api-key': [key] } }) as unknown as ApiRequest;
/** No key is looked up: its form decides. */
const authentication = undefined as unknown as Authentication;

const taken = (credential: MerchantKeyCredential | AdminKeyCredential) =>
  FORMS.filter((form) => credential.sentIn(sent(form + 'a'.repeat(32))) !== undefined);

describe('The form of a key', () => {
  it('of a merchant is that of the mode: a service of one mode never looks up a key of the other', () => {
    expect(taken(new MerchantKeyCredential(authentication, 0, 'sandbox'))).toEqual(['sk_test_']);
    expect(taken(new MerchantKeyCredential(authentication, 0, 'live'))).toEqual(['sk_live_']);
  });

  it('of an operator is the same in both modes', () => {
    expect(taken(new AdminKeyCredential(authentication))).toEqual(['ak_']);
  });

  it('has 32 characters after its prefix', () => {
    const credential = new AdminKeyCredential(authentication);
    for (const length of [31, 33]) {
      expect(credential.sentIn(sent(`ak_${'a'.repeat(length)}`))).toBeUndefined();
    }
  });
});
