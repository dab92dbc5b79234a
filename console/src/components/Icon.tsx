/** Icons as strokes, in the colour of the text around them. They say nothing to a screen reader: the text beside them does. */

const PATHS = {
  overview: 'M3 13h4v8H3zM10 8h4v13h-4zM17 3h4v18h-4z',
  requests: 'M4 6h10M4 12h7M4 18h10M16 9l4 3-4 3',
  search: 'M10.5 4a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13M15.5 15.5 21 21',
  analysis: 'M4 6h16M6 12h4M14 12h4M4 18h3M10.5 18h3M17 18h3',
  documents: 'M6 3h9l4 4v14H6zM14 3v5h5M9 13h7M9 17h7',
  mappings: 'M5 4h6v5H5zM13 15h6v5h-6zM8 9v8h5M13 8h6',
  aggregations: 'M12 3a9 9 0 1 0 9 9h-9zM15 3.5A9 9 0 0 1 20.5 9H15z',
  map: 'M12 21s7-6.2 7-11.5A7 7 0 0 0 5 9.5C5 14.800 12 21 12 21M12 7a2.500 2.500 0 1 0 0 5 2.500 2.500 0 0 0 0-5',
  transfer: 'M7 20V5M3.500 8.500 7 5l3.500 3.500M17 4v15M13.500 15.500 17 19l3.500-3.500',
  snapshots: 'M4 8h4l1.500-3h5L16 8h4v11H4zM12 10a3.500 3.500 0 1 0 0 7 3.500 3.500 0 0 0 0-7',
  users:
    'M9 4a3.500 3.500 0 1 0 0 7 3.500 3.500 0 0 0 0-7M2.500 20c0-4 3-6 6.500-6s6.500 2 6.500 6M16 4.500a3.500 3.500 0 0 1 0 6.500M18 14.500c2.500.700 3.500 2.700 3.500 5.500',
  tour: 'M12 3l2.500 6H21l-5.200 4 2 7-5.800-4.200L6.200 20l2-7L3 9h6.500z',
  menu: 'M4 7h16M4 12h16M4 17h16',
  theme: 'M12 4a8 8 0 1 0 0 16zM12 4a8 8 0 0 1 0 16',
  close: 'M6 6l12 12M18 6 6 18',
  copy: 'M9 9h11v11H9zM5 15H4V4h11v1',
  play: 'M7 4l13 8-13 8z',
  add: 'M12 5v14M5 12h14',
  delete: 'M4 7h16M9 7V4h6v3M6 7l1 13h10l1-13M10 11v6M14 11v6',
  edit: 'M4 20h4L20 8l-4-4L4 16z',
  refresh: 'M20 5v5h-5M4 19v-5h5M19.500 10A8 8 0 0 0 5.500 7.500M4.500 14a8 8 0 0 0 14 2.500',
  chevron: 'M9 6l6 6-6 6',
  download: 'M12 4v11M7.500 10.500 12 15l4.500-4.500M4 20h16',
  upload: 'M12 16V5M7.500 9.500 12 5l4.500 4.500M4 20h16',
  link: 'M10 14a4 4 0 0 0 6 0l3-3a4 4 0 0 0-6-6l-1 1M14 10a4 4 0 0 0-6 0l-3 3a4 4 0 0 0 6 6l1-1',
  history: 'M4 12a8 8 0 1 0 2.500-5.800L4 8.500M4 4v4.500h4.500M12 8v4.500l3 2',
} as const;

export type IconName = keyof typeof PATHS;

export function Icon({ name }: { name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
      <path d={PATHS[name]} />
    </svg>
  );
}
