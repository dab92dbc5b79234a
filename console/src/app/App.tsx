/** The frame around all views: navigation, the cluster's state, who one is, and the view itself. */
import { useSignal, useSignalEffect } from '@preact/signals';
import type { ComponentChildren, ComponentType } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { ErrorBox } from '../components/ErrorBox';
import { Spinner } from '../components/Spinner';
import { useClient } from './context';
import { place } from './location';
import { Navigation } from './Navigation';
import { SentRequests } from './SentRequests';
import { SignIn } from './SignIn';
import { Toasts } from './Toasts';
import type { View } from './views';
import './frame.css';

/** A view's component, once it is loaded. */
type Loaded = { name: string; View: ComponentType } | { name: string; error: unknown } | undefined;

interface AppProps {
  views: readonly View[];
  /** What stands beside the views, such as a tour. */
  children?: ComponentChildren;
  /** More in the navigation, below the views. */
  tools?: ComponentChildren;
}

export function App({ views, children, tools }: AppProps) {
  const loaded = useSignal<Loaded>(undefined);
  const main = useRef<HTMLElement>(null);
  useSignalEffect(() => {
    const { view } = place.value;
    if (loaded.peek()?.name === view) return;
    const found = views.find(({ name }) => name === view);
    if (found === undefined) {
      loaded.value = { name: view, error: new Error(`There is no view “${view}”.`) };
      return;
    }
    found.load().then(
      ({ default: View }) => {
        if (place.peek().view !== view) return;
        const isFirst = loaded.peek() === undefined;
        loaded.value = { name: view, View };
        document.title = `${found.title} · Resilin`;
        // Whoever goes on by keyboard or hears the page read goes on in the new view.
        if (!isFirst) main.current?.focus({ preventScroll: true });
      },
      (error: unknown) => {
        loaded.value = { name: view, error };
      },
    );
  });
  useEffect(() => scrollTo(0, 0), [loaded.value?.name]);
  const { value } = loaded;
  return (
    <div class="frame">
      <button type="button" class="skip" onClick={() => main.current?.focus()}>
        Skip to the content
      </button>
      <Navigation views={views} tools={tools} />
      <main id="main" tabIndex={-1} ref={main}>
        <Unreached />
        {value === undefined ? (
          <Spinner label="Loading" />
        ) : 'View' in value ? (
          <value.View />
        ) : (
          <ErrorBox error={value.error} />
        )}
      </main>
      {children}
      <SentRequests />
      <SignIn />
      <Toasts />
    </div>
  );
}

/** Says that the server doesn't answer, until it does: it is asked again every few seconds. */
function Unreached() {
  const { value } = useClient().unreachable;
  return (
    <output class="unreached">
      {value !== undefined && (
        <p>{value}. It is asked again every few seconds; other nodes of its cluster may answer.</p>
      )}
    </output>
  );
}
