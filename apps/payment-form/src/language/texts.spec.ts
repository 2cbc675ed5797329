import { countriesIn } from '../address/countries.js';
import { subdivisionsOf } from '../address/subdivisions.js';
import { chooseLanguage, localeOf } from './language.js';
import { amountText } from './money.js';
import { englishOfBanks } from './texts.bank.en.js';
import { frenchOfBanks } from './texts.bank.fr.js';
import { english } from './texts.en.js';
import { french } from './texts.fr.js';

/** All texts by their path; functions are called with an argument that shows in the text. */
function flat(texts: object, path = ''): Map<string, string> {
  const found = new Map<string, string>();
  for (const [key, value] of Object.entries(texts) as [string, unknown][]) {
    const at = `${path}.${key}`;
    if (typeof value === 'string') found.set(at, value);
    else if (typeof value === 'function') found.set(at, String((value as (count: number) => string)(2)));
    else for (const [inner, text] of flat(value as object, at)) found.set(inner, text);
  }
  return found;
}

const spaces = (text: string): string => text.replace(/\s/g, ' ');

describe('The texts', () => {
  it('of both languages are complete', () => {
    expect([...flat(french).keys()]).toEqual([...flat(english).keys()]);
    const empty = [...flat(french)].filter(([key, text]) => text === '' && key !== '.explanation.Sale');
    expect(empty).toEqual([]);
  });

  it('are translated', () => {
    const others = flat(english);
    const same = [...flat(french)].filter(([key, text]) => text === others.get(key)).map(([key]) => key);
    // One is empty; the other is what `nothing` says.
    expect(same).toEqual(['.explanation.Sale', '.ending.cancelledText']);
  });

  it('of a form for bank accounts speak of no card, but in what only a card form shows', () => {
    const cards =
      /\.(field|error)\.(number|expiry|cvv|name)|challenge|verification|Enrolled|cardExpired|Auth|Refund/;
    for (const texts of [flat(englishOfBanks), flat(frenchOfBanks)]) {
      const left = [...texts].filter(([key, text]) => /\b(card|carte)/i.test(text) && !cards.test(key));
      expect(left.map(([key]) => key)).toEqual([]);
    }
  });

  it('say the number of minutes and tries in the right form', () => {
    expect(english.timeAnnouncement(1)).toBe('You have 1 minute left to finish.');
    expect(english.notice.triesLeft(4)).toBe('You can try 4 more times.');
    expect(english.notice.limited(600)).toBe('Wait 10 minutes and try again.');
    expect(french.timeAnnouncement(5)).toBe('Il vous reste 5 minutes pour terminer.');
  });
});

describe('The language', () => {
  it.each([
    [['fr', 'en-US', 'en-US'], 'fr'],
    [[null, 'fr-FR', 'en-US'], 'fr'],
    [['de', 'de-DE', 'EN-GB', 'fr-CA'], 'en'],
    [[null, 'de-DE', 'fr-CA'], 'fr'],
    [[null, undefined], 'en'],
  ])('is the first of %j that the page has: %s', (tags, language) => {
    expect(chooseLanguage(tags)).toBe(language);
  });

  it('in English keeps the region of the merchant, in French it is Canadian', () => {
    expect(localeOf('en', 'en-US')).toBe('en-US');
    expect(localeOf('en', 'fr-CA')).toBe('en-CA');
    expect(localeOf('fr', 'en-US')).toBe('fr-CA');
  });

  it('writes amounts in its own way', () => {
    expect(amountText(123_456, 'USD', 'en-US')).toBe('$1,234.56');
    expect(amountText(1, 'CAD', 'en-CA')).toBe('$0.01');
    expect(spaces(amountText(123_456, 'CAD', 'fr-CA'))).toBe('1 234,56 $');
  });

  it('names countries, the two of the currencies first', () => {
    const [first, second, third] = countriesIn('fr-CA');
    expect([first, second]).toEqual([
      { code: 'US', name: 'États-Unis' },
      { code: 'CA', name: 'Canada' },
    ]);
    expect(third?.name).toBe('Afghanistan');
    expect(countriesIn('en-US')).toHaveLength(249);
  });

  it('names states and provinces', () => {
    expect(subdivisionsOf('CA', 'fr')?.map(({ name }) => name)).toContain('Québec');
    expect(subdivisionsOf('CA', 'en')).toHaveLength(13);
    expect(subdivisionsOf('US', 'en')?.filter(({ code }) => code === 'CA')).toEqual([
      { code: 'CA', name: 'California' },
    ]);
    expect(subdivisionsOf('DE', 'en')).toBeUndefined();
  });
});
