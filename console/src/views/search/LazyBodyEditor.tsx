/** The editor for a search's body, whose code is loaded when it is shown first: words need none of it. */
import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { tellError } from '../../app/Toasts';
import { Spinner } from '../../components/Spinner';
import type { BodyEditor, BodyEditorProps } from './BodyEditor';

const loaded = signal<typeof BodyEditor | undefined>(undefined);

export function LazyBodyEditor(props: BodyEditorProps) {
  useEffect(() => {
    if (loaded.peek() === undefined)
      import('./BodyEditor').then(({ BodyEditor: Editor }) => {
        loaded.value = Editor;
      }, tellError);
  }, []);
  const { value: Editor } = loaded;
  return Editor === undefined ? <Spinner label="Loading the editor" /> : <Editor {...props} />;
}
