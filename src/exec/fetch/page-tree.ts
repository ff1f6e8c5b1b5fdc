/** What is used of the tree of a page, and a way through it that no depth can exhaust. */

/** A node of the tree that the library parses HTML into; only what is used of the DOM. */
export interface PageNode {
  /** 1: element, 3: text. */
  readonly nodeType: number;
  /** Of an element its name in capitals. */
  readonly nodeName: string;
  nodeValue: string | null;
  readonly parentNode: PageNode | null;
  readonly firstChild: PageNode | null;
  readonly nextSibling: PageNode | null;
  removeChild(child: PageNode): unknown;
}

export interface PageElement extends PageNode {
  innerHTML: string;
  readonly textContent: string | null;
  getAttribute(name: string): string | null;
  setAttribute(name: string, value: string): void;
  removeAttribute(name: string): void;
  querySelector(selector: string): PageElement | null;
}

export interface PageDocument {
  createElement(name: string): PageElement;
}

/** Every node below a root in the order of the text. `visit` says whether to go on below an element. */
export function walk(root: PageNode, visit: (node: PageNode) => boolean): void {
  let node: PageNode | null = root.firstChild;
  while (node !== null) {
    const below: PageNode | null = visit(node) ? node.firstChild : null;
    node = below ?? nextAfter(node, root);
  }
}

function nextAfter(from: PageNode, root: PageNode): PageNode | null {
  for (let node: PageNode | null = from; node !== null && node !== root; node = node.parentNode) {
    if (node.nextSibling !== null) return node.nextSibling;
  }
  return null;
}

export function isElement(node: PageNode): node is PageElement {
  return node.nodeType === 1;
}

/** The text below a node as it stands, line breaks included. */
export function plainTextOf(root: PageNode): string {
  const pieces: string[] = [];
  walk(root, (node) => {
    if (node.nodeType === 3) pieces.push(node.nodeValue ?? '');
    else if (node.nodeName === 'BR') pieces.push('\n');
    return true;
  });
  return pieces.join('');
}
