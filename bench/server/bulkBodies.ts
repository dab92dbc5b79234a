/** Bodies of `_bulk` for a corpus. */
const BODY_BYTES = 5 * 1024 * 1024;

/** Bodies of about five megabytes; without a field of that name a document's id is its number. */
export async function* bulkBodies(
  lines: AsyncIterable<string> | Iterable<string>,
  idField: string,
): AsyncGenerator<Buffer> {
  let text: string[] = [];
  let bytes = 0;
  let number = 0;
  for await (const line of lines) {
    const id = String((JSON.parse(line) as Record<string, unknown>)[idField] ?? number);
    number++;
    text.push(`{"index":{"_id":${JSON.stringify(id)}}}\n${line}\n`);
    bytes += line.length;
    if (bytes < BODY_BYTES) continue;
    yield Buffer.from(text.join(''));
    text = [];
    bytes = 0;
  }
  if (text.length > 0) yield Buffer.from(text.join(''));
}
