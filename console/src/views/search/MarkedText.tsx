/** A fragment of a text with what was searched for marked in it. */
import { MARKS } from './searchBody';

/** Between the marks of this view, or those that 1.7 makes by itself. */
const MARKED = new RegExp(`${MARKS.before}(.*?)${MARKS.after}|<em>(.*?)</em>`, 'gs');

export function MarkedText({ text }: { text: string }) {
  const parts = [];
  let at = 0;
  for (const match of text.matchAll(MARKED)) {
    parts.push(text.slice(at, match.index), <mark key={match.index}>{match[1] ?? match[2]}</mark>);
    at = match.index + match[0].length;
  }
  parts.push(text.slice(at));
  return <>{parts}</>;
}
