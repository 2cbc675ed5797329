import { PaymentFormError, PaymentFormErrorCode } from './error.codes.js';

const PATH = /^\/pay\/ses_[0-9A-Za-z]{32}$/;
/** The languages of the form. It shows the merchant's own language for every other one. */
const LANGUAGES = ['en', 'fr'];

/**
 * The address of the form in the language of `locale`.
 *
 * @param pageProtocol of the page that shows the form: `https:`
 * @throws PaymentFormError 6102 or 6103. Its message never has the address, which is a credential.
 */
export function formAddress(url: unknown, pageProtocol: string, locale?: string): URL {
  if (typeof url !== 'string' || url === '') {
    const text = 'There is no address. Pass `form` of the response to your server as it is.';
    throw new PaymentFormError(PaymentFormErrorCode.SdkSessionNotInitialized, text);
  }
  const address = parsed(url);
  if (!address || !/^https?:$/.test(address.protocol) || !PATH.test(address.pathname) || hasUser(address)) {
    throw mismatch('The address is not one of a form: it ends in /pay/ses_ and 32 letters or digits.');
  }
  if (pageProtocol === 'https:' && address.protocol === 'http:') {
    throw mismatch('A browser shows no http: form in an https: page.');
  }
  const language = locale?.toLowerCase().split('-', 1)[0] ?? '';
  if (LANGUAGES.includes(language)) address.searchParams.set('lang', language);
  return address;
}

/** `URL.canParse` is too new for some browsers. */
function parsed(url: string): URL | undefined {
  try {
    return new URL(url);
  } catch {
    return undefined;
  }
}

function hasUser({ username, password }: URL): boolean {
  return username !== '' || password !== '';
}

function mismatch(text: string): PaymentFormError {
  return new PaymentFormError(PaymentFormErrorCode.SdkEnvironmentMismatch, text);
}
