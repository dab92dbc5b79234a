/** JSON with a line for each value; digits and strings stay as they were written. */

/** Indents each value by two spaces a level, as it was written otherwise. */
export function indented(text: string): string {
  let result = '';
  let depth = 0;
  const tokens = [...text.matchAll(/"(?:[^"\\]|\\.)*"?|[{}[\],:]|[^\s"{}[\],:]+/g)].map(([token]) => token);
  for (const [i, token] of tokens.entries()) {
    const next = tokens[i + 1];
    if (token === '{' || token === '[') {
      const isEmpty = next === '}' || next === ']';
      depth++;
      result += isEmpty ? token : `${token}\n${'  '.repeat(depth)}`;
    } else if (token === '}' || token === ']') {
      depth = Math.max(0, depth - 1);
      const before = tokens[i - 1];
      result += before === '{' || before === '[' ? token : `\n${'  '.repeat(depth)}${token}`;
      if (depth === 0 && next !== undefined) result += '\n';
    } else if (token === ',') result += `,\n${'  '.repeat(depth)}`;
    else if (token === ':') result += ': ';
    else result += token;
  }
  return result;
}
