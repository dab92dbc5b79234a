/** The tour: a card beside the views that says what to look at, and does it on a click. */
import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { useClient } from '../../app/context';
import { goTo, linkTo } from '../../app/location';
import { ErrorBox } from '../../components/ErrorBox';
import { Icon } from '../../components/Icon';
import { STEPS } from './steps';
import { tourStep } from './tourState';

export function Tour() {
  const client = useClient();
  const heading = useRef<HTMLHeadingElement>(null);
  const isRunning = useSignal(false);
  const problem = useSignal<unknown>(undefined);
  const at = tourStep.value;
  useEffect(() => {
    problem.value = undefined;
    if (at !== undefined) heading.current?.focus({ preventScroll: true });
  }, [at, problem]);
  const step = at === undefined ? undefined : STEPS[at];
  if (at === undefined || step === undefined) return null;
  const run = async () => {
    isRunning.value = true;
    problem.value = undefined;
    try {
      await step.prepare?.(client);
      if (location.hash === linkTo(step.view, { index: '', ...step.params }))
        dispatchEvent(new HashChangeEvent('hashchange'));
      else goTo(step.view, { index: '', ...step.params });
    } catch (error) {
      problem.value = error;
    } finally {
      isRunning.value = false;
    }
  };
  const move = (to: number | undefined) => {
    tourStep.value = to;
  };
  return (
    <aside class="tour" aria-labelledby="tour-step">
      <header>
        <h2 id="tour-step" tabIndex={-1} ref={heading}>
          {step.title}
        </h2>
        <button type="button" class="icon" aria-label="End the tour" onClick={() => move(undefined)}>
          <Icon name="close" />
        </button>
      </header>
      <p>{step.text}</p>
      {problem.value !== undefined && <ErrorBox error={problem.value} />}
      <button type="button" class="primary" disabled={isRunning.value} onClick={() => void run()}>
        <Icon name="play" /> {isRunning.value ? 'Working…' : step.action}
      </button>
      <footer>
        <button type="button" class="quiet" disabled={at === 0} onClick={() => move(at - 1)}>
          Back
        </button>
        <div class="steps" role="img" aria-label={`Step ${at + 1} of ${STEPS.length}`}>
          {STEPS.map(({ title }, i) => (
            <span key={title} class={i <= at ? 'gone' : ''} />
          ))}
        </div>
        {at < STEPS.length - 1 ? (
          <button type="button" class="quiet" onClick={() => move(at + 1)}>
            Next
          </button>
        ) : (
          <button type="button" class="quiet" onClick={() => move(undefined)}>
            Done
          </button>
        )}
      </footer>
    </aside>
  );
}
