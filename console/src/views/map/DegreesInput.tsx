/** A number that counts when one leaves the field, and only within its range. */
import { useDraft } from '../../components/useDraft';

interface DegreesInputProps {
  label: string;
  value: number;
  min: number;
  max: number;
  onValue: (value: number) => void;
}

export function DegreesInput({ label, value, min, max, onValue }: DegreesInputProps) {
  const draft = useDraft(String(value));
  return (
    <label>
      {label}
      <input
        type="number"
        step="any"
        min={min}
        max={max}
        value={draft.value}
        onInput={(event) => draft.onInput(event.currentTarget.value)}
        onChange={(event) => {
          const { valueAsNumber: typed } = event.currentTarget;
          if (!event.currentTarget.reportValidity() || !Number.isFinite(typed)) return;
          draft.onChange();
          onValue(typed);
        }}
      />
    </label>
  );
}
