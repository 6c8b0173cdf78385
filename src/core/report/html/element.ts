import { forHtml } from '../escape-html.ts';

/** A piece of HTML. Only this file makes one, so each text in it is escaped. */
class Markup {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  /** The HTML of what an element holds: markup as it is, texts escaped. */
  static of(child: Child): string {
    if (typeof child === 'string') return forHtml(child);
    return child instanceof Markup ? child.#text : child.map(Markup.of).join('');
  }
}

export type { Markup };

/** What an element can hold: a text, which is escaped, markup, or several of them. */
export type Child = string | Markup | readonly Child[];

type Attributes = Readonly<Partial<Record<AttributeName, string | boolean>>>;

type AttributeName =
  | 'aria-label'
  | 'charset'
  | 'class'
  | 'colspan'
  | 'content'
  | 'data-address'
  | 'data-item'
  | 'data-label'
  | 'data-risks'
  | 'data-server'
  | 'for'
  | 'hidden'
  | 'href'
  | 'http-equiv'
  | 'id'
  | 'lang'
  | 'name'
  | 'open'
  | 'placeholder'
  | 'role'
  | 'scope'
  | 'tabindex'
  | 'title'
  | 'type'
  | 'value';

/** An element with its end tag; attributes that are false are left out. */
export function element(name: string, attributes: Attributes, ...children: readonly Child[]): Markup {
  // A line each for large parts, so that two pages can be compared.
  const end = BLOCKS.has(name) ? '\n' : '';
  return new Markup(`<${name}${attributeText(attributes)}>${Markup.of(children)}</${name}>${end}`);
}

/** An element without content, which has no end tag. */
export function voidElement(name: 'input' | 'meta' | 'wbr', attributes: Attributes): Markup {
  return new Markup(`<${name}${attributeText(attributes)}>`);
}

/** A name that goes on in the next line after a dot, where it is long: the name of a server may be its host. */
export function breakable(name: string): Child {
  return name
    .split(/(?<=\.)/)
    .flatMap((part, index) => (index === 0 ? [part] : [voidElement('wbr', {}), part]));
}

/** A script or style of our own, as it is. */
export function inlined(name: 'script' | 'style', text: string): Markup {
  return new Markup(`<${name}>${text}</${name}>\n`);
}

/** A whole page. */
export function page(root: Markup): string {
  return `<!doctype html>\n${Markup.of(root)}`;
}

const BLOCKS: ReadonlySet<string> = new Set([
  ...['html', 'head', 'title', 'body', 'header', 'main', 'section', 'h1', 'h2', 'h3', 'p', 'pre'],
  ...['table', 'tr', 'ul', 'li', 'details', 'summary', 'article', 'del', 'ins', 'div'],
]);

function attributeText(attributes: Attributes): string {
  return Object.entries(attributes)
    .map(([name, value]) => {
      if (typeof value !== 'boolean') return ` ${name}="${forHtml(value)}"`;
      return value ? ` ${name}` : '';
    })
    .join('');
}
