/** What helps while requests are written: completion, marks where bodies are wrong, commands of curl that become requests. */
import { autocompletion, type CompletionContext, type CompletionSource } from '@codemirror/autocomplete';
import { type Diagnostic, linter, setDiagnostics } from '@codemirror/lint';
import type { Extension } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import type { Client } from '../../api/client';
import { bodyCompletion } from '../../dsl/bodyCompletion';
import { KnownNames } from '../../dsl/knownNames';
import { loadTables } from '../../dsl/tables';
import { bodyMarks, type Mark } from './bodyErrors';
import { fromCurl, isCurl } from './curlCommand';
import { requestAt } from './notation';
import { requestsField } from './requestLanguage';
import { pathOffers } from './requestPath';

export function requestEditing(client: Client): Extension {
  const names = new KnownNames(client);
  return [
    autocompletion({
      override: [lineCompletion(names), inBody(names)],
      icons: false,
      maxRenderedOptions: 100,
    }),
    linter((view) => bodyMarks(view.state.field(requestsField)).map(asDiagnostic), { delay: 300 }),
    EditorView.domEventHandlers({
      paste(event, view) {
        const text = event.clipboardData?.getData('text/plain') ?? '';
        const request = isCurl(text) ? fromCurl(text) : undefined;
        if (request === undefined) return false;
        event.preventDefault();
        view.dispatch(view.state.replaceSelection(request), { userEvent: 'input.paste' });
        return true;
      },
    }),
  ];
}

/** Marks what an answer has said of a place. The next change of the text takes it away. */
export function markAnswer(view: EditorView, mark: Mark): void {
  view.dispatch(setDiagnostics(view.state, [asDiagnostic(mark)]));
}

function asDiagnostic({ from, to, message }: Mark): Diagnostic {
  return { from, to, message, severity: 'error' };
}

/** Methods, paths, parameters. */
function lineCompletion(names: KnownNames): CompletionSource {
  return async (context: CompletionContext) => {
    const line = context.state.doc.lineAt(context.pos);
    const text = line.text.slice(0, context.pos - line.from);
    const isHead = /^\s*[A-Za-z]+[ \t]+\S*$/.test(text);
    // A word alone is a method that is written, where no body is.
    if (!isHead && !(/^[A-Za-z]{1,6}$/.test(text) || (text === '' && context.explicit))) return null;
    const path = /\s(\S*)$/.exec(text)?.[1] ?? '';
    const [tables, server] = await Promise.all([loadTables(), names.ofPath(path)]);
    if (context.aborted) return null;
    const found = pathOffers(text, tables, server);
    if (found === undefined || found.offers.length === 0) return null;
    return {
      from: line.from + found.from,
      options: found.offers.map(({ text: label, detail }) => ({ label, detail })),
      validFor: /^[\w.*-]*$/,
    };
  };
}

function inBody(names: KnownNames): CompletionSource {
  return bodyCompletion(
    ({ state, pos }) => {
      const request = requestAt(state.field(requestsField), pos);
      if (request === undefined || pos < request.bodyFrom) return undefined;
      return { from: request.bodyFrom, to: Math.max(request.to, pos), path: request.path };
    },
    (path) => names.forBody(path),
  );
}
