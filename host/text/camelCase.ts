/** Names in camel case, which 1.7 takes beside those with underscores. */

/** `path_hierarchy` → `pathHierarchy`: definitions answer to both. */
export function camelCase(name: string): string {
  return name.replace(/_+(.?)/g, (_, letter: string) => letter.toUpperCase());
}
