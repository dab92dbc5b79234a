/** How many vertices the shapes of a query may have. */
import { ofLimit, parseFailure } from '../errors.js';
import { isObject } from '../json/values.js';

const MAX_VERTICES = 10_000;

/** 400: more vertices than a query may have. */
export function checkVertexCount(vertices: number): void {
  if (vertices <= MAX_VERTICES) return;
  throw ofLimit(parseFailure(`the shapes of a query may have at most ${MAX_VERTICES} vertices`));
}

/** 400: a shape of more vertices than that. */
export function checkVertices(shape: unknown): void {
  const open: unknown[] = [shape];
  let vertices = 0;
  while (open.length > 0) {
    const each = open.pop();
    if (isObject(each)) open.push(each.coordinates, each.geometries);
    if (!Array.isArray(each)) continue;
    let lists = 0;
    for (const inner of each) {
      if (typeof inner !== 'object' || inner === null) continue;
      open.push(inner);
      // What is open is at least as many vertices.
      checkVertexCount(vertices + ++lists);
    }
    if (lists === 0) vertices++;
  }
}
