/** Data in and out: files into an index, an index into a file. */
import { place, setParams } from '../../app/location';
import { Tabs } from '../../components/Tabs';
import { ViewHeader } from '../../components/ViewHeader';
import { ExportPanel } from './ExportPanel';
import { ImportPanel } from './ImportPanel';
import './transfer.css';

export default function TransferView() {
  const selected = place.value.params.get('way') === 'out' ? 'out' : 'in';
  return (
    <>
      <ViewHeader title="Data in and out" />
      <Tabs
        label="In or out"
        tabs={[
          { name: 'in', title: 'Import' },
          { name: 'out', title: 'Export' },
        ]}
        selected={selected}
        onSelect={(way) => setParams({ way: way === 'in' ? '' : way })}
      >
        {selected === 'in' ? <ImportPanel /> : <ExportPanel />}
      </Tabs>
    </>
  );
}
