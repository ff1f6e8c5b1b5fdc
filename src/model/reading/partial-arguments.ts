/** The arguments of a call that come value by value, each with the path to its place. */
import type { Json, JsonObject } from '../../core/index.ts';
import { isObject, textOf } from '../reply.ts';

type Node = Leaf | Branch;
type Leaf = { text: string[] } | { value: Json };
type Branch = { members: Map<string, Node> } | { items: Node[] };
type Step = string | number;

/** Steps of a path that are followed; no tool nests deeper. */
const deepest = 100;
const step = /\.([^.[\]'"]+)|\[(\d{1,9})\]|\['((?:[^'\\]|\\.)*)'\]|\["((?:[^"\\]|\\.)*)"\]/y;

export class PartialArguments {
  /** Characters that came. */
  characters = 0;
  /** Whether all of it could be put in its place. */
  isWhole = true;
  private readonly root: Branch = { members: new Map() };
  /** The path of a text that is to go on. */
  private open: string | undefined;

  take(pieces: Json | undefined): void {
    for (const piece of Array.isArray(pieces) ? pieces : []) if (isObject(piece)) this.add(piece);
  }

  value(): JsonObject {
    const value = plain(this.root);
    return isObject(value) ? value : {};
  }

  private add(piece: JsonObject): void {
    const path = textOf(piece['jsonPath']);
    const text = piece['stringValue'];
    const isContinued = this.open === path;
    this.open = piece['willContinue'] === true ? path : undefined;
    const steps = stepsOf(path);
    const leaf = leafOf(piece);
    this.characters += typeof text === 'string' ? text.length : JSON.stringify(piece).length;
    const isPlaced = steps !== undefined && leaf !== undefined && put(this.root, steps, leaf, isContinued);
    if (!isPlaced) this.isWhole = false;
  }
}

function leafOf(piece: JsonObject): Leaf | undefined {
  const { stringValue, numberValue, boolValue, nullValue } = piece;
  if (typeof stringValue === 'string') return { text: [stringValue] };
  if (typeof numberValue === 'number') return { value: numberValue };
  if (typeof boolValue === 'boolean') return { value: boolValue };
  return nullValue === undefined ? undefined : { value: null };
}

/** The steps of a path like `$.files[0]['a name']`; undefined for what is none. */
function stepsOf(path: string): Step[] | undefined {
  if (!path.startsWith('$')) return undefined;
  const steps: Step[] = [];
  step.lastIndex = 1;
  for (let at = 1; at < path.length; at = step.lastIndex) {
    const [found, name, index, single, double] = step.exec(path) ?? [];
    if (found === undefined || steps.length === deepest) return undefined;
    if (index === undefined) steps.push(name ?? unescaped(single ?? double ?? ''));
    else steps.push(Number(index));
  }
  return steps.length === 0 ? undefined : steps;
}

function unescaped(text: string): string {
  return text.replaceAll(/\\(.)/g, '$1');
}

/** Puts a value in its place; whether it has one there. */
function put(root: Branch, steps: readonly Step[], leaf: Leaf, isContinued: boolean): boolean {
  let branch = root;
  for (const [index, step] of steps.entries()) {
    const next = steps[index + 1];
    const known = child(branch, step);
    if (next === undefined) return isContinued && extend(known, leaf) ? true : setChild(branch, step, leaf);
    const inner = known ?? (typeof next === 'number' ? { items: [] } : { members: new Map<string, Node>() });
    if ('text' in inner || 'value' in inner) return false;
    if (known === undefined && !setChild(branch, step, inner)) return false;
    branch = inner;
  }
  return false;
}

function child(branch: Branch, step: Step): Node | undefined {
  if ('members' in branch) return typeof step === 'string' ? branch.members.get(step) : undefined;
  return typeof step === 'number' ? branch.items[step] : undefined;
}

/** A list grows at its end only. */
function setChild(branch: Branch, step: Step, node: Node): boolean {
  if ('members' in branch) {
    if (typeof step !== 'string') return false;
    branch.members.set(step, node);
    return true;
  }
  if (typeof step !== 'number' || step > branch.items.length) return false;
  branch.items[step] = node;
  return true;
}

function extend(known: Node | undefined, leaf: Leaf): boolean {
  if (known === undefined || !('text' in known) || !('text' in leaf)) return false;
  known.text.push(...leaf.text);
  return true;
}

function plain(node: Node): Json {
  if ('text' in node) return node.text.join('');
  if ('value' in node) return node.value;
  if ('items' in node) return node.items.map(plain);
  return Object.fromEntries([...node.members].map(([name, inner]) => [name, plain(inner)]));
}
