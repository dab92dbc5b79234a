/** The editor for JSON, whose code (CodeMirror) is loaded when it is shown first. */
import { signal } from '@preact/signals';
import type { ComponentProps } from 'preact';
import { useEffect } from 'preact/hooks';
import { Spinner } from '../components/Spinner';
import type { JsonEditor } from './JsonEditor';

const loaded = signal<typeof JsonEditor | undefined>(undefined);

export function LazyJsonEditor(props: ComponentProps<typeof JsonEditor>) {
  useEffect(() => {
    if (loaded.peek() === undefined)
      void import('./JsonEditor').then(({ JsonEditor: Editor }) => {
        loaded.value = Editor;
      });
  }, []);
  const { value: Editor } = loaded;
  return Editor === undefined ? <Spinner label="Loading the editor" /> : <Editor {...props} />;
}
