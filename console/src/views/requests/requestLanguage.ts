/** How requests look in the editor, how their bodies fold, and which request is the one at the cursor. */
import { foldService, StreamLanguage } from '@codemirror/language';
import { type Extension, RangeSetBuilder, StateField } from '@codemirror/state';
import { Decoration, EditorView, GutterMarker, gutter } from '@codemirror/view';
import { readRequests, requestAt, type WrittenRequest } from './notation';

const language = StreamLanguage.define<{ isBody: boolean }>({
  name: 'requests',
  startState: () => ({ isBody: false }),
  token(stream) {
    if (stream.sol()) {
      if (stream.match(/^\s*(#|\/\/).*/)) return 'comment';
      if (stream.match(/^\s*(GET|POST|PUT|DELETE|HEAD|OPTIONS)(?=[ \t]+\S+[ \t]*$)/i)) return 'keyword';
    }
    if (stream.eatSpace()) return null;
    if (stream.match(/^"(?:[^"\\]|\\.)*"?/)) return stream.match(/^\s*:/, false) ? 'propertyName' : 'string';
    if (stream.match(/^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w/])/)) return 'number';
    if (stream.match(/^(true|false|null)\b/)) return 'bool';
    if (stream.match(/^[/\w][^\s"{}[\],:]*/)) return 'url';
    stream.next();
    return null;
  },
  languageData: { closeBrackets: { brackets: ['{', '[', '"'] } },
});

/** The requests of the document. */
export const requestsField = StateField.define<readonly WrittenRequest[]>({
  create: ({ doc }) => readRequests(doc.toString()),
  update: (requests, { docChanged, newDoc }) => (docChanged ? readRequests(newDoc.toString()) : requests),
});

/** Brackets at the end of a line fold to the bracket that closes them. */
const folding = foldService.of((state, from, to) => {
  const line = state.sliceDoc(from, to);
  const open = /[{[]\s*$/.exec(line);
  if (open === null) return null;
  const start = from + open.index + 1;
  const end = closingAfter(state.sliceDoc(start, Math.min(state.doc.length, start + 200_000)));
  return end === undefined ? null : { from: start, to: start + end };
});

function closingAfter(text: string): number | undefined {
  let depth = 0;
  for (const { 0: token, index } of text.matchAll(/"(?:[^"\\\n]|\\.)*"?|[{}[\]]/g)) {
    if (token === '{' || token === '[') depth++;
    else if (token === '}' || token === ']') {
      if (depth === 0) return index;
      depth--;
    }
  }
  return undefined;
}

const activeLine = Decoration.line({ class: 'cm-request' });

/** The lines of the request at the cursor. */
const activeRequest = EditorView.decorations.compute(['doc', 'selection'], (state) => {
  const builder = new RangeSetBuilder<Decoration>();
  const request = requestAt(state.field(requestsField), state.selection.main.head);
  if (request !== undefined) {
    const last = state.doc.lineAt(request.to).number;
    for (let n = state.doc.lineAt(request.from).number; n <= Math.min(last, 100_000); n++) {
      const { from } = state.doc.line(n);
      builder.add(from, from, activeLine);
    }
  }
  return builder.finish();
});

class RunMarker extends GutterMarker {
  override toDOM(): Node {
    const mark = document.createElement('span');
    mark.textContent = '▶';
    mark.title = 'Run this request';
    mark.className = 'cm-run';
    return mark;
  }
}

const marker = new RunMarker();

/** Something to click beside each request. */
function runGutter(run: (request: WrittenRequest) => void): Extension {
  return gutter({
    class: 'cm-run-gutter',
    lineMarker: (view, line) =>
      view.state.field(requestsField).some(({ from }) => from === line.from) ? marker : null,
    lineMarkerChange: ({ docChanged }) => docChanged,
    domEventHandlers: {
      mousedown(view, line) {
        const request = view.state.field(requestsField).find(({ from }) => from === line.from);
        if (request === undefined) return false;
        view.dispatch({ selection: { anchor: request.from } });
        run(request);
        return true;
      },
    },
  });
}

const look = EditorView.theme({
  '.cm-request': { boxShadow: 'inset 3px 0 0 var(--accent)' },
  '.cm-run-gutter': { width: '1.4em' },
  '.cm-run': { color: 'var(--accent)', cursor: 'pointer', fontSize: '0.8em', paddingLeft: '0.35em' },
});

/** All of it. @param run what a click beside a request does */
export function requestLanguage(run: (request: WrittenRequest) => void): Extension {
  return [requestsField, runGutter(run), language, folding, activeRequest, look];
}
