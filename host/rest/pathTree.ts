/** Finds what stands at a path. Fixed parts of templates win over variable ones. */

interface Node<T> {
  fixed: Map<string, Node<T>>;
  variable: { name: string; node: Node<T> }[];
  byMethod: Map<string, T>;
}

const newNode = <T>(): Node<T> => ({ fixed: new Map(), variable: [], byMethod: new Map() });

/** What was found, and the variable parts of the path. */
export interface Found<T> {
  value: T;
  path: Record<string, string>;
}

/** Values by method and by the template of a path, such as `/{index}/_search`. */
export class PathTree<T> {
  readonly #root = newNode<T>();

  /** The last value of a method and template counts. */
  add(method: string, template: string, value: T): void {
    let at = this.#root;
    for (const part of split(template)) at = child(at, part);
    at.byMethod.set(method, value);
  }

  /** @param path as sent, without parameters; `decode` reads one part of it */
  find(method: string, path: string, decode: (part: string) => string): Found<T> | undefined {
    return find(this.#root, split(path).map(decode), 0, method);
  }
}

function split(path: string): string[] {
  return path.split('/').filter((part) => part !== '');
}

function child<T>(node: Node<T>, part: string): Node<T> {
  if (part.startsWith('{')) {
    const name = part.slice(1, -1);
    const known = node.variable.find((each) => each.name === name);
    if (known !== undefined) return known.node;
    const made = newNode<T>();
    node.variable.push({ name, node: made });
    return made;
  }
  let next = node.fixed.get(part);
  if (next === undefined) {
    next = newNode<T>();
    node.fixed.set(part, next);
  }
  return next;
}

function find<T>(node: Node<T>, parts: readonly string[], at: number, method: string): Found<T> | undefined {
  if (at === parts.length) {
    const value = node.byMethod.get(method);
    return value === undefined ? undefined : { value, path: {} };
  }
  const part = parts[at]!;
  const fixed = node.fixed.get(part);
  const found = fixed === undefined ? undefined : find(fixed, parts, at + 1, method);
  if (found !== undefined) return found;
  for (const { name, node: next } of node.variable) {
    const below = find(next, parts, at + 1, method);
    if (below === undefined) continue;
    below.path[name] = part;
    return below;
  }
  return undefined;
}
