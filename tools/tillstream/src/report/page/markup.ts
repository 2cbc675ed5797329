/* HTML whose values are escaped, unless they are markup themselves. */

/** Text that is safe to put into a page as it is. Only `html` makes it. */
export class Markup {
  constructor(readonly text: string) {}
}

export type Content = string | number | Markup | undefined | readonly Content[];

const ESCAPED: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** For elements and for attributes in quotation marks. */
export function html(parts: TemplateStringsArray, ...values: readonly Content[]): Markup {
  return new Markup(parts.reduce((text, part, index) => text + textOf(values[index - 1]) + part));
}

function textOf(value: Content): string {
  if (value === undefined) return '';
  if (value instanceof Markup) return value.text;
  if (Array.isArray(value)) return value.map((one) => textOf(one as Content)).join('');
  return String(value).replace(/[&<>"']/g, (sign) => ESCAPED[sign] ?? '');
}
