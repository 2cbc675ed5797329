import type { Browser, Frame, Page } from 'playwright-core';
import type * as script from './index.js';
import { startBrowser } from '@tillstream/browser-testing';
import { ending, eventually, mountOn, post, resize, type Given } from './testing/mounted.form.js';
import { TwoOrigins } from './testing/two.origins.js';

let origins: TwoOrigins;
let browser: Browser;
let page: Page;
let troubles: string[];
beforeAll(async () => {
  origins = await TwoOrigins.open();
  browser = await startBrowser();
});
afterAll(async () => {
  await browser?.close();
  await origins?.close();
});

async function open(path: string): Promise<Page> {
  const opened = await browser.newPage();
  opened.setDefaultTimeout(10_000);
  troubles = [];
  opened.on('pageerror', (error) => troubles.push(error.message));
  opened.on('console', (message) => message.type() === 'error' && troubles.push(message.text()));
  await opened.goto(origins.shop + path);
  await opened.waitForFunction(() => 'Tillstream' in window);
  return opened;
}
beforeEach(async () => {
  origins.requests.length = 0;
  page = await open('/script');
});
afterEach(() => page.close());

const mount = (given: Given = {}, on = page): Promise<Frame> => mountOn(on, origins, given);
const result = (index = 0, on = page): Promise<string> => on.evaluate((at) => window.endings[at]!, index);
const calls = (on = page): Promise<string[]> => on.evaluate(() => window.calls);

describe.each([
  ['a script tag', '/script'],
  ['an ES module', '/module'],
])('The script as %s', (_name, path) => {
  it('reports the end of the form to a callback and to a promise', async () => {
    const shop = await open(path);
    const frame = await mount({}, shop);
    await post(frame, resize(300));
    await post(frame, ending('completed', { responseCode: 1 }));
    expect(await result(0, shop)).toBe('completed trx_1');
    expect(await calls(shop)).toEqual(['0 ready', '0 resize 300', '0 completed trx_1']);
    expect(troubles).toEqual([]);
    await shop.close();
  });
});

describe('The iframe', () => {
  it('has a name for screen readers, may pay, keeps its origin, and tells the form the origin of the page', async () => {
    await mount({ locale: 'fr-CA' });
    const frame = page.locator('#one > iframe');
    expect(await frame.getAttribute('title')).toBe('Formulaire de paiement sécurisé');
    expect(await frame.getAttribute('allow')).toBe('payment');
    expect(await frame.getAttribute('sandbox')).toBeNull();
    const path = new URL(origins.url).pathname;
    expect(origins.requests).toEqual([`${path}?lang=fr referer=${origins.shop}/`]);
  });

  it('has the title that the page gives', async () => {
    await mount({ title: 'Pay for your books' });
    expect(await page.getByTitle('Pay for your books').count()).toBe(1);
  });

  it('gets the height of the form, also after its end', async () => {
    const frame = await mount();
    const height = async () => (await page.locator('iframe').boundingBox())?.height;
    await post(frame, resize(612.2));
    await post(frame, ending('failed', { resultCode: 6900, responseCode: 11 }));
    expect(await result()).toBe('failed trx_1');
    expect(await height()).toBe(613);
    await post(frame, resize(200));
    await page.waitForFunction(() => window.calls.includes('0 resize 200'));
    expect(await height()).toBe(200);
    expect(await calls()).toEqual([
      '0 ready',
      '0 resize 613',
      '0 failed 6900 SdkCardDeclined',
      '0 resize 200',
    ]);
  });

  it('is never higher than 10,000 pixels', async () => {
    const frame = await mount();
    await post(frame, resize(1e9));
    await page.waitForFunction(() => window.calls.length === 2);
    expect(await calls()).toEqual(['0 ready', '0 resize 10000']);
  });
});

describe('A message', () => {
  it('counts only from the window and the origin of the form', async () => {
    const frame = await mount();
    // The same origin in another window, and another origin in the form's own window.
    await page.evaluate((url) => {
      const other = document.createElement('iframe');
      other.src = url;
      document.body.append(other);
    }, `${origins.form}/other`);
    await page.waitForFunction(() => document.querySelectorAll('iframe').length === 2);
    const other = await eventually(() => page.frames().find((one) => one.url().endsWith('/other')));
    await other.waitForLoadState();
    await post(other, ending('completed'));
    await page.evaluate((data) => window.postMessage(data, '*'), ending('completed'));
    await post(frame, { ...ending('completed'), source: 'other' });
    await post(frame, { ...ending('completed'), transactionId: undefined });
    expect(await calls()).toEqual([]);
    await post(frame, ending('cancelled', { status: 'Cancelled', resultCode: 55 }));
    expect(await result()).toBe('cancelled trx_1');
    expect(await calls()).toEqual(['0 ready', '0 cancelled 55']);
  });

  it('of another origin in the window of the form is ignored', async () => {
    await mount();
    await page.evaluate(() => {
      const iframe = window.forms[0]!.iframe;
      iframe.removeAttribute('src');
      iframe.srcdoc = '<p>shop</p>';
    });
    const own = await eventually(() => page.frames().find((one) => one.url() === 'about:srcdoc'));
    await own.waitForLoadState();
    await post(own, ending('completed'));
    await page.evaluate(() => new Promise((resume) => setTimeout(resume, 50)));
    expect(await calls()).toEqual([]);
  });

  it('that ends the form counts once', async () => {
    const frame = await mount();
    await post(frame, ending('completed'));
    await post(frame, ending('failed', { transactionId: 'trx_2' }));
    expect(await result()).toBe('completed trx_1');
    await post(frame, resize(10));
    await page.waitForFunction(() => window.calls.includes('0 resize 10'));
    expect(await calls()).toEqual(['0 ready', '0 completed trx_1', '0 resize 10']);
  });
});

describe('An error in the form', () => {
  it('is reported, and the form goes on', async () => {
    const frame = await mount();
    for (const code of [6300, 6701, 6900]) {
      await post(frame, { source: 'payment-form', type: 'error', code, paymentMethodType: 'VirtualAch' });
    }
    await post(frame, { source: 'payment-form', type: 'error', code: 1 });
    await post(frame, ending('completed', { status: 'Processing', responseCode: 57 }));
    expect(await result()).toBe('completed trx_1');
    expect(await calls()).toEqual([
      '0 ready',
      '0 problem 6300 SdkAchFieldsInvalid',
      '0 problem 6701 SdkBillingValidationFailed',
      '0 problem 6900 SdkCardDeclined',
      '0 completed trx_1',
    ]);
  });
});

describe('Two forms in one page', () => {
  it('end each for itself', async () => {
    const first = await mount({ container: '#one' });
    const second = await mount({ container: '#two' });
    await post(second, ending('cancelled', { transactionId: 'trx_2', resultCode: 55 }));
    await post(first, ending('completed'));
    expect([await result(0), await result(1)]).toEqual(['completed trx_1', 'cancelled trx_2']);
    expect((await calls()).sort()).toEqual(['0 completed trx_1', '0 ready', '1 cancelled 55', '1 ready']);
  });
});

describe('A form that does not end', () => {
  it('is removed if it sends no message in time: 6100', async () => {
    await mount({ timeoutMs: 1_000 });
    expect(await result()).toMatch(/^SdkSessionLoadFailed 6100: .* Read the transaction /);
    expect(await result()).toContain(`${origins.shop} is an allowed origin`);
    expect(await calls()).toEqual(['0 error 6100']);
    expect(await page.locator('iframe').count()).toBe(0);
  });

  it('waits for the customer once it is shown', async () => {
    const frame = await mount({ timeoutMs: 1_500 });
    await post(frame, resize(300));
    await page.evaluate(() => new Promise((resume) => setTimeout(resume, 1_700)));
    await post(frame, ending('completed'));
    expect(await result()).toBe('completed trx_1');
  });

  it('can wait for ever', async () => {
    const frame = await mount({ timeoutMs: Infinity });
    await page.evaluate(() => new Promise((resume) => setTimeout(resume, 50)));
    await post(frame, ending('completed'));
    expect(await result()).toBe('completed trx_1');
  });

  it('is unmounted: the iframe and the listener are gone, and the result rejects with 6102', async () => {
    const listeners = () => page.evaluate(() => window.listeners);
    await page.evaluate(() => {
      window.listeners = 0;
      const { addEventListener: add, removeEventListener: remove } = window;
      window.addEventListener = (...call: Parameters<typeof add>) => {
        window.listeners += 1;
        add(...call);
      };
      window.removeEventListener = (...call: Parameters<typeof add>) => {
        window.listeners -= 1;
        remove(...call);
      };
    });
    const frame = await mount();
    await post(frame, resize(300));
    await page.waitForFunction(() => window.calls.length === 2);
    expect(await listeners()).toBe(1);
    await page.evaluate(() => window.forms[0]!.unmount());
    expect(await result()).toMatch(/^SdkSessionNotInitialized 6102: /);
    expect(await calls()).toEqual(['0 ready', '0 resize 300']);
    expect([await listeners(), await page.locator('iframe').count()]).toEqual([0, 0]);
  });

  it('is no unhandled rejection in a page that uses only callbacks', async () => {
    await page.evaluate((url) => {
      window.Tillstream.mountPaymentForm({ url, container: '#one' }).unmount();
      return new Promise((resume) => setTimeout(resume, 100));
    }, origins.url);
    expect(troubles).toEqual([]);
  });
});

describe('A mistake of the page', () => {
  it.each([
    ['no address', { url: undefined, container: '#one' }, 6102],
    ['no container', { container: '#nowhere' }, 6102],
    ['an address of something else', { url: 'https://shop.example/cart', container: '#one' }, 6103],
  ])('is thrown at once: %s', async (_what, options, code) => {
    const thrown = await page.evaluate(
      (given) => {
        try {
          window.Tillstream.mountPaymentForm(given as script.PaymentFormOptions);
          return undefined;
        } catch (error) {
          return error instanceof window.Tillstream.PaymentFormError ? error.code : 0;
        }
      },
      { url: origins.url, ...options },
    );
    expect([thrown, await page.locator('iframe').count()]).toEqual([code, 0]);
  });

  it('in a callback is reported as 6001 and to the page, and changes no outcome', async () => {
    const frame = await mount({ throws: true });
    await post(frame, ending('completed'));
    expect(await result()).toBe('completed trx_1');
    expect(await calls()).toEqual(['0 ready', '0 completed trx_1', '0 error 6001 wrong in the shop']);
    await eventually(() => troubles.find((one) => one.includes('wrong in the shop')));
  });
});
