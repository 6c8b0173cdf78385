import { reportScript, reportStyle } from '../../../generated/report-page.ts';
import { forXml } from '../escape.ts';

/** The key of written markup: only this file has it, so no text is markup. */
const WRITTEN = Symbol('markup');

/** Markup that this file wrote. */
export interface Markup {
  readonly [WRITTEN]: string;
}

/** Texts are foreign and escaped; what is undefined is left out. */
export type Child = string | number | Markup | undefined | readonly Child[];

/** The elements of a page. */
type Tag =
  | ContainerTag
  | 'a'
  | 'b'
  | 'button'
  | 'code'
  | 'del'
  | 'i'
  | 'ins'
  | 'kbd'
  | 'option'
  | 'output'
  | 'pre'
  | 'q'
  | 'rect'
  | 'select'
  | 'small'
  | 'span'
  | 'svg'
  | 'time'
  | 'title'
  | VoidTag;

/** Elements that start on a line of their own. */
type ContainerTag =
  | 'article'
  | 'body'
  | 'colgroup'
  | 'details'
  | 'div'
  | 'footer'
  | 'h1'
  | 'h2'
  | 'h3'
  | 'head'
  | 'header'
  | 'html'
  | 'li'
  | 'main'
  | 'nav'
  | 'p'
  | 'search'
  | 'section'
  | 'summary'
  | 'table'
  | 'tbody'
  | 'td'
  | 'th'
  | 'thead'
  | 'tr'
  | 'ul';

type VoidTag = 'br' | 'col' | 'input' | 'meta' | 'wbr';

const OWN_LINE: ReadonlySet<string> = new Set<ContainerTag>([
  'article',
  'body',
  'details',
  'footer',
  'head',
  'header',
  'main',
  'nav',
  'search',
  'section',
  'table',
  'tr',
]);

const VOID: ReadonlySet<string> = new Set<VoidTag>([
  'br',
  'col',
  'input',
  'meta',
  'wbr',
]);

/** The attributes of a page: none of them holds a script or a style. */
export interface Attributes {
  readonly 'aria-hidden'?: 'true' | undefined;
  readonly 'aria-keyshortcuts'?: string | undefined;
  readonly 'aria-label'?: string | undefined;
  readonly 'aria-pressed'?: 'false' | undefined;
  readonly autocomplete?: 'off' | undefined;
  readonly charset?: string | undefined;
  readonly class?: string | undefined;
  readonly colspan?: number | undefined;
  readonly content?: string | undefined;
  readonly 'data-facts'?: string | undefined;
  readonly 'data-meaning'?: string | undefined;
  readonly 'data-name'?: string | undefined;
  readonly 'data-server'?: string | undefined;
  readonly 'data-token'?: string | undefined;
  readonly datetime?: string | undefined;
  readonly for?: string | undefined;
  readonly height?: number | undefined;
  readonly hidden?: boolean | undefined;
  /** Written only if it leads into the page or to an address with https. */
  readonly href?: string | undefined;
  readonly 'http-equiv'?: string | undefined;
  readonly id?: string | undefined;
  readonly lang?: string | undefined;
  readonly name?: string | undefined;
  readonly open?: boolean | undefined;
  readonly placeholder?: string | undefined;
  readonly preserveAspectRatio?: string | undefined;
  readonly rel?: 'noreferrer' | undefined;
  readonly role?: 'group' | 'img' | 'status' | undefined;
  readonly scope?: 'col' | 'row' | undefined;
  readonly spellcheck?: 'false' | undefined;
  readonly tabindex?: 0 | -1 | undefined;
  readonly title?: string | undefined;
  readonly type?: 'button' | 'search' | undefined;
  readonly value?: string | undefined;
  readonly viewBox?: string | undefined;
  readonly width?: number | undefined;
  readonly x?: number | undefined;
}

/** Where a link may lead. */
const SAFE_LINK = /^(?:#|https:\/\/)/;

/** Writes an element. */
export function element(
  tag: Tag,
  attributes: Attributes,
  ...children: readonly Child[]
): Markup {
  const line = OWN_LINE.has(tag) ? '\n' : '';
  const start = `${line}<${tag}${attributesText(attributes)}>`;
  if (VOID.has(tag)) return { [WRITTEN]: start };
  return { [WRITTEN]: `${start}${childrenText(children)}</${tag}>` };
}

function attributesText(attributes: Attributes): string {
  let text = '';
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === false) continue;
    if (name === 'href' && !SAFE_LINK.test(value)) continue;
    text += value === true ? ` ${name}` : ` ${name}="${forXml(String(value))}"`;
  }
  return text;
}

function childrenText(children: readonly Child[]): string {
  let text = '';
  for (const child of children) text += childText(child);
  return text;
}

function childText(child: Child): string {
  if (child === undefined) return '';
  if (typeof child === 'string') return forXml(child);
  if (typeof child === 'number') return String(child);
  return WRITTEN in child ? child[WRITTEN] : childrenText(child);
}

/** Children with something between each two. */
export function joined(
  children: readonly Child[],
  separator: string | Markup,
): Child[] {
  const all: Child[] = [];
  for (const child of children) {
    if (all.length > 0) all.push(separator);
    all.push(child);
  }
  return all;
}

/**
 * Nothing but the style and the script of setpoint, which are known by their
 * hashes: a page loads nothing and sends nothing.
 */
const POLICY = [
  "default-src 'none'",
  `style-src '${reportStyle.hash}'`,
  `script-src '${reportScript.hash}'`,
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');

/** Writes a page that needs nothing from elsewhere. */
export function htmlDocument(
  title: string,
  ...children: readonly Child[]
): string {
  const head = element(
    'head',
    {},
    element('meta', { charset: 'utf-8' }),
    element('meta', {
      'http-equiv': 'Content-Security-Policy',
      content: POLICY,
    }),
    element('meta', {
      name: 'viewport',
      content: 'width=device-width, initial-scale=1',
    }),
    element('meta', { name: 'color-scheme', content: 'light dark' }),
    element('title', {}, title),
    asWritten('style', reportStyle.text),
  );
  const script = asWritten('script', reportScript.text);
  const body = element('body', {}, ...children, script);
  const page = element('html', { lang: 'en' }, head, body);
  return `<!doctype html>\n${page[WRITTEN]}\n`;
}

/** Writes a text of ours without escaping it. */
function asWritten(tag: 'style' | 'script', text: string): Markup {
  return { [WRITTEN]: `<${tag}>${text}</${tag}>` };
}
