/** A chapter of examples: requests in their order, each with a sentence and a button that runs it. */

import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { place, setParams } from '../../app/location';
import { Icon } from '../../components/Icon';
import { Panel } from '../../components/Panel';
import { type Chapter, chapterText } from './examples/chapter';

interface ExamplesPanelProps {
  /** Puts a request into the editor and runs it. */
  onRun: (request: string) => void;
  /** Puts a text into the editor. */
  onOpen: (text: string) => void;
  onClose: () => void;
}

export function ExamplesPanel({ onRun, onOpen, onClose }: ExamplesPanelProps) {
  const chapters = useSignal<readonly Chapter[]>([]);
  useEffect(() => {
    void import('./examples/chapters').then(({ CHAPTERS }) => {
      chapters.value = CHAPTERS;
    });
  }, []);
  const name = place.value.params.get('chapter') ?? '';
  const chapter = chapters.value.find((each) => each.name === name) ?? chapters.value[0];
  const done = useSignal<readonly string[]>([]);
  if (chapter === undefined) return null;
  return (
    <Panel
      title="Examples"
      class="examples"
      actions={
        <button type="button" class="icon" aria-label="Close the examples" onClick={onClose}>
          <Icon name="close" />
        </button>
      }
    >
      <label class="picker">
        Chapter
        <select
          value={chapter.name}
          onChange={(event) => {
            done.value = [];
            setParams({ chapter: event.currentTarget.value });
          }}
        >
          {chapters.value.map(({ name: each, title }) => (
            <option key={each} value={each}>
              {title}
            </option>
          ))}
        </select>
      </label>
      <button type="button" class="small" onClick={() => onOpen(chapterText(chapter))}>
        <Icon name="edit" /> All of it into the editor
      </button>
      <p class="muted">{chapter.about}</p>
      <ol>
        {chapter.steps.map(({ says, request }) => (
          <li key={request} class={done.value.includes(request) ? 'done' : ''}>
            <p>{says}</p>
            <div class="example-request">
              {/* It scrolls, and must be reachable by keyboard. */}
              {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrolled by arrow keys */}
              <pre tabIndex={0}>{request}</pre>
              <button
                type="button"
                class="small primary"
                aria-label={`Run: ${says}`}
                onClick={() => {
                  done.value = [...done.value, request];
                  onRun(request);
                }}
              >
                <Icon name="play" /> Run
              </button>
            </div>
          </li>
        ))}
      </ol>
    </Panel>
  );
}
