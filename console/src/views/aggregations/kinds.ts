/** Aggregations that can be built by clicks: which fields they take, and what they can be told. */
import { isNumberType, type MappedField } from '../../api/mappingFields';

/** How an option is typed and written. */
export type OptionType = 'number' | 'text' | 'numbers' | 'ranges' | 'filters' | 'order';

export interface KindOption {
  /** As in JSON. */
  name: string;
  title: string;
  type: OptionType;
  placeholder?: string;
  /** Texts that are offered. */
  offers?: readonly string[];
  isRequired?: boolean;
}

export interface Kind {
  /** As in JSON. */
  name: string;
  title: string;
  /** It makes buckets; else it is a number, or several, for each bucket. */
  hasBuckets: boolean;
  /** It has no field of its own. */
  hasNoField?: boolean;
  takes: (field: MappedField) => boolean;
  options: readonly KindOption[];
}

const isNumber = ({ type }: MappedField) => isNumberType(type);
const isDate = ({ type }: MappedField) => type === 'date';
const isPoint = ({ type }: MappedField) => type === 'geo_point';
const isText = ({ type }: MappedField) => type === 'string';
const isSimple = ({ type }: MappedField) =>
  !type.startsWith('geo_') && type !== 'binary' && type !== 'attachment';
const isNumeric = (field: MappedField) => isNumber(field) || isDate(field);

const MIN_COUNT: KindOption = {
  name: 'min_doc_count',
  title: 'At least',
  type: 'number',
  placeholder: '1 document',
};
const SIZE: KindOption = { name: 'size', title: 'Size', type: 'number', placeholder: '10' };
const INTERVALS = ['year', 'quarter', 'month', 'week', 'day', 'hour', 'minute'];

export const KINDS: readonly Kind[] = [
  {
    name: 'terms',
    title: 'Terms',
    hasBuckets: true,
    takes: isSimple,
    options: [
      SIZE,
      { name: 'order', title: 'Order', type: 'order' },
      MIN_COUNT,
      { name: 'include', title: 'Include', type: 'text', placeholder: 'pattern' },
      { name: 'exclude', title: 'Exclude', type: 'text', placeholder: 'pattern' },
    ],
  },
  {
    name: 'histogram',
    title: 'Histogram',
    hasBuckets: true,
    takes: isNumber,
    options: [{ name: 'interval', title: 'Interval', type: 'number', isRequired: true }, MIN_COUNT],
  },
  {
    name: 'date_histogram',
    title: 'Date histogram',
    hasBuckets: true,
    takes: isDate,
    options: [
      { name: 'interval', title: 'Interval', type: 'text', isRequired: true, offers: INTERVALS },
      { name: 'time_zone', title: 'Time zone', type: 'text', placeholder: 'UTC' },
      { name: 'format', title: 'Format', type: 'text', placeholder: 'yyyy-MM' },
      MIN_COUNT,
    ],
  },
  {
    name: 'range',
    title: 'Ranges',
    hasBuckets: true,
    takes: isNumber,
    options: [
      {
        name: 'ranges',
        title: 'Ranges',
        type: 'ranges',
        isRequired: true,
        placeholder: '-100, 100-1000, 1000-',
      },
    ],
  },
  {
    name: 'date_range',
    title: 'Date ranges',
    hasBuckets: true,
    takes: isDate,
    options: [
      {
        name: 'ranges',
        title: 'Ranges',
        type: 'ranges',
        isRequired: true,
        placeholder: '..now-1y, now-1y..now',
      },
      { name: 'format', title: 'Format', type: 'text', placeholder: 'yyyy-MM-dd' },
    ],
  },
  {
    name: 'filters',
    title: 'Filters',
    hasBuckets: true,
    hasNoField: true,
    takes: () => true,
    options: [
      {
        name: 'filters',
        title: 'Filters, one a line',
        type: 'filters',
        isRequired: true,
        placeholder: 'old: year:[* TO 1900]',
      },
    ],
  },
  {
    name: 'significant_terms',
    title: 'Significant terms',
    hasBuckets: true,
    takes: (field) => isText(field) || isNumber(field),
    options: [SIZE, { ...MIN_COUNT, placeholder: '3 documents' }],
  },
  {
    name: 'geohash_grid',
    title: 'Geohash grid',
    hasBuckets: true,
    takes: isPoint,
    options: [{ name: 'precision', title: 'Precision', type: 'number', placeholder: '5' }, SIZE],
  },
  { name: 'missing', title: 'Missing', hasBuckets: true, takes: () => true, options: [] },
  { name: 'avg', title: 'Average', hasBuckets: false, takes: isNumeric, options: [] },
  { name: 'sum', title: 'Sum', hasBuckets: false, takes: isNumber, options: [] },
  { name: 'min', title: 'Minimum', hasBuckets: false, takes: isNumeric, options: [] },
  { name: 'max', title: 'Maximum', hasBuckets: false, takes: isNumeric, options: [] },
  { name: 'stats', title: 'Statistics', hasBuckets: false, takes: isNumber, options: [] },
  { name: 'extended_stats', title: 'Extended statistics', hasBuckets: false, takes: isNumber, options: [] },
  {
    name: 'percentiles',
    title: 'Percentiles',
    hasBuckets: false,
    takes: isNumeric,
    options: [{ name: 'percents', title: 'Percents', type: 'numbers', placeholder: '5, 50, 95, 99' }],
  },
  {
    name: 'percentile_ranks',
    title: 'Percentile ranks',
    hasBuckets: false,
    takes: isNumeric,
    options: [
      { name: 'values', title: 'Values', type: 'numbers', isRequired: true, placeholder: '100, 1000' },
    ],
  },
  { name: 'cardinality', title: 'Distinct values', hasBuckets: false, takes: isSimple, options: [] },
  { name: 'value_count', title: 'Values', hasBuckets: false, takes: () => true, options: [] },
];

const BY_NAME: ReadonlyMap<string, Kind> = new Map(KINDS.map((kind) => [kind.name, kind]));

export function kindOf(name: string): Kind | undefined {
  return BY_NAME.get(name);
}

/** Kinds whose buckets lie side by side on a scale. */
export function isHistogram(kind: string): boolean {
  return kind === 'histogram' || kind === 'date_histogram';
}
