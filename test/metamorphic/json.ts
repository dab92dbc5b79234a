/** JSON with whole numbers of any size. */
export type Json = null | boolean | number | bigint | string | Json[] | JsonObject;
export interface JsonObject {
  [key: string]: Json;
}

/** JavaScript's numbers end at 2^53: greater ones are bigints, which are written as they are. */
export function toJson(value: Json): string {
  if (typeof value === 'bigint') return String(value);
  if (Array.isArray(value)) return `[${value.map(toJson).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  return `{${Object.entries(value)
    .map(([key, each]) => `${JSON.stringify(key)}:${toJson(each)}`)
    .join(',')}}`;
}

/** Calls `visit` with every key of every object in a value, and what it stands for. */
export function visitKeys(value: Json, visit: (key: string, value: Json, object: JsonObject) => void): void {
  if (Array.isArray(value)) for (const each of value) visitKeys(each, visit);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return;
  for (const [key, each] of Object.entries(value)) {
    visit(key, each, value);
    visitKeys(each, visit);
  }
}

/** Whether any key in a value satisfies a condition. */
export function hasKey(
  value: Json,
  condition: (key: string, value: Json, object: JsonObject) => boolean,
): boolean {
  let found = false;
  visitKeys(value, (key, each, object) => {
    found ||= condition(key, each, object);
  });
  return found;
}
