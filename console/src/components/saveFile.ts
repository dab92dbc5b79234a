/** Gives a person a file: the browser saves it where it saves downloads. */

/** Until the browser has read it. */
const KEPT_MS = 60_000;

/** @param parts its text, or its pieces in their order */
export function saveFile(name: string, type: string, parts: readonly BlobPart[] | string): void {
  const blob = new Blob(typeof parts === 'string' ? [parts] : [...parts], { type });
  const address = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(address), KEPT_MS);
}
