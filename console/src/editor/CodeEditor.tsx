/**
 * A text editor (CodeMirror). It stands in a shadow tree: there it brings its styles as constructed style sheets, which a policy without
 * `unsafe-inline` allows.
 */
import {
  autocompletion,
  closeBrackets,
  closeBracketsKeymap,
  completionKeymap,
} from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap, indentLess, indentMore } from '@codemirror/commands';
import {
  bracketMatching,
  foldGutter,
  foldKeymap,
  indentOnInput,
  syntaxHighlighting,
} from '@codemirror/language';
import { lintKeymap } from '@codemirror/lint';
import { searchKeymap } from '@codemirror/search';
import { Compartment, EditorState, type Extension } from '@codemirror/state';
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  keymap,
  lineNumbers,
  placeholder,
} from '@codemirror/view';
import { useEffect, useRef } from 'preact/hooks';
import { editorTheme, highlighting } from './editorTheme';

interface CodeEditorProps {
  /** For those who hear the page. */
  label: string;
  value: string;
  onChange?: (value: string) => void;
  /** The language, completion, linting. A list that stays the same object is set up once. */
  extensions?: Extension;
  isReadOnly?: boolean;
  placeholder?: string;
  /** Called with Ctrl-Enter or Command-Enter. */
  onRun?: () => void;
  /** Given the view once it is there. */
  onView?: (view: EditorView) => void;
  /** Lines are counted beside the text. */
  hasLineNumbers?: boolean;
}

/** What Tab does in an editor keeps people who only use a keyboard in it: Escape, then Tab, goes on (said in the label's description). */
const LEAVE = 'Escape, then Tab, leaves the editor.';

export function CodeEditor(props: CodeEditorProps) {
  const host = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView | undefined>(undefined);
  const latest = useRef(props);
  latest.current = props;
  const more = useRef(new Compartment());
  /** Texts that were typed and have not come back as values yet. */
  const told = useRef(new Set<string>());
  useEffect(() => {
    const element = host.current!;
    const root = element.shadowRoot ?? element.attachShadow({ mode: 'open' });
    const { isReadOnly = false, hasLineNumbers = true, extensions = [] } = latest.current;
    const made = new EditorView({
      parent: root,
      root,
      state: EditorState.create({
        doc: latest.current.value,
        extensions: [
          hasLineNumbers ? [lineNumbers(), foldGutter()] : [],
          history(),
          drawSelection(),
          indentOnInput(),
          bracketMatching(),
          closeBrackets(),
          autocompletion({ icons: false }),
          highlightActiveLine(),
          syntaxHighlighting(highlighting),
          editorTheme,
          EditorView.lineWrapping,
          EditorState.readOnly.of(isReadOnly),
          EditorView.contentAttributes.of({ 'aria-label': `${latest.current.label}. ${LEAVE}` }),
          placeholder(latest.current.placeholder ?? ''),
          keymap.of([
            {
              key: 'Mod-Enter',
              run: () => {
                latest.current.onRun?.();
                return latest.current.onRun !== undefined;
              },
            },
            ...closeBracketsKeymap,
            ...completionKeymap,
            ...defaultKeymap,
            ...searchKeymap,
            ...historyKeymap,
            ...foldKeymap,
            ...lintKeymap,
            { key: 'Tab', run: indentMore, shift: indentLess },
          ]),
          EditorView.updateListener.of((update) => {
            if (!update.docChanged || latest.current.onChange === undefined) return;
            const text = update.state.doc.toString();
            told.current.add(text);
            latest.current.onChange(text);
          }),
          more.current.of(extensions),
        ],
      }),
    });
    view.current = made;
    latest.current.onView?.(made);
    return () => made.destroy();
  }, []);
  useEffect(() => {
    view.current?.dispatch({ effects: more.current.reconfigure(props.extensions ?? []) });
  }, [props.extensions]);
  useEffect(() => {
    const { current } = view;
    // What was typed is there already: only a text that comes from elsewhere is put in.
    if (current === undefined) return;
    const isShown = current.state.doc.toString() === props.value;
    // It may come back late, when more has been typed: putting it in then would take that away, and be told, and come back again.
    const isOwn = told.current.has(props.value);
    if (isShown) told.current.clear();
    if (isShown || isOwn) return;
    current.dispatch({ changes: { from: 0, to: current.state.doc.length, insert: props.value } });
  }, [props.value]);
  return <div class="editor" ref={host} />;
}
