/** The list of views, the cluster's name and state, the theme. */

import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { authorization } from '../api/httpTransport';
import { HealthDot } from '../components/HealthDot';
import { Icon } from '../components/Icon';
import { cluster } from './clusterState';
import { useClient } from './context';
import { linkTo, place } from './location';
import { nextTheme, theme } from './theme';
import type { View } from './views';
import { whoAmI } from './whoAmI';

const THEME_TITLES = { system: 'as the system', light: 'light', dark: 'dark' } as const;

interface NavigationProps {
  views: readonly View[];
  tools?: ComponentChildren;
}

export function Navigation({ views, tools }: NavigationProps) {
  const isOpen = useSignal(false);
  const client = useClient();
  const { name, status } = cluster(client).value;
  const who = whoAmI(client).value;
  const shown = views.filter(
    ({ isHidden, isFor }) => isHidden !== true && (isFor === undefined || (who !== undefined && isFor(who))),
  );
  return (
    <header class="navigation">
      <a class="brand" href={linkTo('overview')} aria-label="Resilin, overview">
        <svg class="mark" viewBox="0 0 32 32" aria-hidden="true">
          <path d="M6 25C8 10 19 4 26 13" />
          <circle cx="26" cy="15" r="3.4" />
          <path class="ground" d="M4 27h9" />
        </svg>
        <span>Resilin</span>
      </a>
      <button
        type="button"
        class="menu"
        aria-expanded={isOpen.value}
        aria-controls="views"
        onClick={() => {
          isOpen.value = !isOpen.value;
        }}
      >
        <Icon name="menu" /> <span>Menu</span>
      </button>
      <nav id="views" aria-label="Views" class={isOpen.value ? 'open' : ''}>
        <ul>
          {shown.map((view) => (
            <li key={view.name}>
              <a
                href={linkTo(view.name)}
                aria-current={place.value.view === view.name ? 'page' : undefined}
                onClick={() => {
                  isOpen.value = false;
                }}
              >
                <Icon name={view.icon} />
                {view.title}
              </a>
            </li>
          ))}
        </ul>
      </nav>
      <div class="where">
        {tools}
        <p class="cluster" title={client.transport.address}>
          <HealthDot status={status} /> <span>{name ?? 'connecting'}</span>
        </p>
        {authorization.value !== undefined && (
          <button
            type="button"
            class="quiet"
            onClick={() => {
              authorization.value = undefined;
              client.needsSignIn.value = true;
            }}
          >
            Sign out
          </button>
        )}
        <button
          type="button"
          class="quiet theme"
          onClick={nextTheme}
          title="Light, dark, or as the system has it"
        >
          <Icon name="theme" /> Theme: {THEME_TITLES[theme.value]}
        </button>
      </div>
    </header>
  );
}
