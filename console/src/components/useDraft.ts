/**
 * What is typed into a field whose value counts when one leaves it. Drawing the page anew, because an answer has come, would put the value of
 * before into the field.
 */
import { useSignal } from '@preact/signals';

export interface Draft {
  /** For the field. */
  value: string;
  /** With each key. */
  onInput: (text: string) => void;
  /** It was left, or Enter was pressed: the value of outside is shown again. */
  onChange: () => void;
}

export function useDraft(value: string): Draft {
  const typed = useSignal<string | undefined>(undefined);
  return {
    value: typed.value ?? value,
    onInput: (text) => {
      typed.value = text;
    },
    onChange: () => {
      typed.value = undefined;
    },
  };
}
