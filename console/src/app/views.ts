/** The views: one line each. A view's code is loaded when somebody goes there. */
import type { ComponentType } from 'preact';
import type { IconName } from '../components/Icon';
import { mayCluster, type WhoAmI } from './whoAmI';

export interface View {
  /** In the address: `#/overview`. */
  name: string;
  title: string;
  icon: IconName;
  /** It needs a server: an engine in the tab has nothing to show there. */
  needsServer?: true;
  /** It isn't offered to others; what it asks for would be refused to them. */
  isFor?: (who: WhoAmI) => boolean;
  /** It stands in no list. */
  isHidden?: true;
  load: () => Promise<{ default: ComponentType }>;
}

export const VIEWS: readonly View[] = [
  {
    name: 'overview',
    title: 'Overview',
    icon: 'overview',
    load: () => import('../views/overview/OverviewView'),
  },
  {
    name: 'requests',
    title: 'Requests',
    icon: 'requests',
    load: () => import('../views/requests/RequestsView'),
  },
  { name: 'search', title: 'Search', icon: 'search', load: () => import('../views/search/SearchView') },
  {
    name: 'analysis',
    title: 'Analysis',
    icon: 'analysis',
    load: () => import('../views/analysis/AnalysisView'),
  },
  {
    name: 'documents',
    title: 'Documents',
    icon: 'documents',
    load: () => import('../views/documents/DocumentsView'),
  },
  {
    name: 'mappings',
    title: 'Mappings',
    icon: 'mappings',
    load: () => import('../views/mappings/MappingsView'),
  },
  {
    name: 'aggregations',
    title: 'Aggregations',
    icon: 'aggregations',
    load: () => import('../views/aggregations/AggregationsView'),
  },
  {
    name: 'map',
    title: 'Map',
    icon: 'map',
    load: () => import('../views/map/MapView'),
  },
  {
    name: 'transfer',
    title: 'Data in and out',
    icon: 'transfer',
    load: () => import('../views/transfer/TransferView'),
  },
  {
    name: 'snapshots',
    title: 'Snapshots',
    icon: 'snapshots',
    needsServer: true,
    isFor: (who) => mayCluster(who, 'monitor'),
    load: () => import('../views/snapshots/SnapshotsView'),
  },
  {
    name: 'users',
    title: 'Users and keys',
    icon: 'users',
    needsServer: true,
    isFor: (who) => who.has_users && mayCluster(who, 'manage'),
    load: () => import('../views/users/UsersView'),
  },
];
