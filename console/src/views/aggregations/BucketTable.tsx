/** Buckets as rows: their keys, counts, shares and numbers. */
import type { Json } from '../../api/json';
import { DataTable } from '../../components/DataTable';
import { formatCount } from '../../components/formats';
import { type BucketRow, keyTitles, rowsOf } from './bucketRows';
import type { Group } from './buckets';
import { formatMeasure } from './formatMeasure';

const PAGE = 100;

interface TableProps {
  group: Group;
  measures: readonly string[];
  onFilter: (filters: readonly Json[], label: string) => void;
}

export function BucketTable({ group, measures, onFilter }: TableProps) {
  const rows = rowsOf(group);
  const titles = keyTitles(group);
  return (
    <DataTable<BucketRow & { at: number }>
      caption="Buckets"
      rows={rows.map((row, at) => ({ ...row, at }))}
      pageSize={PAGE}
      rowKey={({ at }) => String(at)}
      empty="There are no buckets."
      columns={[
        ...titles.map((title, i) => ({
          name: `key${i}`,
          title,
          sortBy: ({ labels }: BucketRow) => labels[i] ?? '',
          cell: ({ labels, filters }: BucketRow) => {
            const label = labels[i] ?? '';
            const isLast = i === titles.length - 1 && filters.length > 0;
            return isLast ? (
              <button
                type="button"
                class="quiet small bucket-key"
                title={`Only ${labels.join(' and ')}`}
                onClick={() => onFilter(filters, labels.join(', '))}
              >
                {label}
              </button>
            ) : (
              <span class="bucket-key">{label}</span>
            );
          },
        })),
        {
          name: 'documents',
          title: 'Documents',
          isNumber: true,
          sortBy: ({ bucket }: BucketRow) => bucket.count,
          cell: ({ bucket }: BucketRow) => formatCount(bucket.count),
        },
        {
          name: 'share',
          title: 'Share',
          isNumber: true,
          sortBy: ({ share }: BucketRow) => share,
          cell: ({ share }: BucketRow) => `${(share * 100).toFixed(1)} %`,
        },
        ...measures.map((name) => ({
          name,
          title: name,
          isNumber: true,
          sortBy: ({ bucket }: BucketRow) => bucket.measures.get(name) ?? Number.NEGATIVE_INFINITY,
          cell: ({ bucket }: BucketRow) => formatMeasure(bucket.measures.get(name)),
        })),
      ]}
    />
  );
}
