/** The views: one line each. A view's code is loaded when somebody goes there. */
import type { ComponentType } from 'preact';
import type { IconName } from '../components/Icon';

export interface View {
  /** In the address: `#/overview`. */
  name: string;
  title: string;
  icon: IconName;
  load: () => Promise<{ default: ComponentType }>;
}

export const VIEWS: readonly View[] = [
  {
    name: 'overview',
    title: 'Overview',
    icon: 'overview',
    load: () => import('../views/overview/OverviewView'),
  },
];
