/** An editor for JSON that marks where it isn't any. */
import { json, jsonParseLinter } from '@codemirror/lang-json';
import { linter } from '@codemirror/lint';
import type { Extension } from '@codemirror/state';
import { CodeEditor } from './CodeEditor';

interface JsonEditorProps {
  label: string;
  value: string;
  onChange: (value: string) => void;
  onRun?: () => void;
  /** Besides the language: completion, for instance. The same object each time. */
  extensions?: Extension;
}

const jsonErrors = jsonParseLinter();
/** An empty text is no body, which is fine. */
const JSON_LANGUAGE: Extension = [
  json(),
  linter((view) => (view.state.doc.length === 0 ? [] : jsonErrors(view))),
];
const withLanguage = new WeakMap<object, Extension>();

export function JsonEditor({ extensions, ...props }: JsonEditorProps) {
  return <CodeEditor {...props} extensions={extensions === undefined ? JSON_LANGUAGE : both(extensions)} />;
}

/** The same object for the same extensions: others would be set up anew with each key. */
function both(extensions: Extension): Extension {
  let found = withLanguage.get(extensions);
  if (found === undefined) {
    found = [JSON_LANGUAGE, extensions];
    withLanguage.set(extensions, found);
  }
  return found;
}
