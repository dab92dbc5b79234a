/**
 * The map as one sees and touches it: moved by dragging or arrow keys, zoomed by the wheel, two fingers, or plus and minus. With a tool chosen,
 * dragging draws a box or a circle, and clicks set the corners of a polygon.
 */
import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { theme } from '../../app/theme';
import { type Area, boxBetween } from './area';
import { distanceBetween } from './distances';
import type { LonLat } from './geoValues';
import { paint, type Scene } from './paint';
import { clamped, normalLon, panned, project, unproject, type Viewport, zoomedAt } from './viewport';

export type Tool = 'move' | 'box' | 'circle' | 'polygon' | 'origin';

interface MapCanvasProps {
  label: string;
  scene: Omit<Scene, 'corners'>;
  tool: Tool;
  onView: (view: Viewport) => void;
  /** While it is drawn, and when it is done. */
  onArea: (area: Area, isDone: boolean) => void;
  /** A click with no tool that draws. */
  onPick: (place: LonLat, x: number, y: number) => void;
}

const KEY_PIXELS = 80;
const KEY_ZOOM = 0.5;
/** A finger or a hand moves so far within a click. */
const CLICK_PIXELS = 5;
/** Near the first corner, a click closes a polygon. */
const CLOSE_PIXELS = 10;

interface Drag {
  x: number;
  y: number;
  start: LonLat;
  hasMoved: boolean;
}

export function MapCanvas(props: MapCanvasProps) {
  const { label, scene, tool, onView } = props;
  const canvas = useRef<HTMLCanvasElement>(null);
  const latest = useRef(props);
  latest.current = props;
  const corners = useSignal<readonly LonLat[]>([]);
  const pointers = useRef(new Map<number, { x: number; y: number }>());
  const drag = useRef<Drag | undefined>(undefined);
  const shownTheme = theme.value;

  useEffect(() => {
    const element = canvas.current!;
    const resize = new ResizeObserver(() => {
      const { clientWidth: width, clientHeight: height } = element;
      const { view } = latest.current.scene;
      if (width > 0 && (width !== view.width || height !== view.height))
        latest.current.onView(clamped({ ...view, width, height }));
    });
    resize.observe(element);
    // A wheel that zooms must not scroll the page: such a listener can't be passive.
    const wheel = (event: WheelEvent) => {
      event.preventDefault();
      const { x, y } = within(element, event);
      const lines = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 30 : 1;
      latest.current.onView(zoomedAt(latest.current.scene.view, x, y, (-event.deltaY * lines) / 300));
    };
    element.addEventListener('wheel', wheel, { passive: false });
    return () => {
      resize.disconnect();
      element.removeEventListener('wheel', wheel);
    };
  }, []);
  useEffect(() => {
    corners.value = [];
  }, [tool]);
  useEffect(() => {
    const frame = requestAnimationFrame(() => {
      const element = canvas.current;
      if (element === null) return;
      const ratio = devicePixelRatio || 1;
      const [width, height] = [Math.round(scene.view.width * ratio), Math.round(scene.view.height * ratio)];
      if (element.width !== width) element.width = width;
      if (element.height !== height) element.height = height;
      paint(element, { ...scene, corners: corners.value });
    });
    return () => cancelAnimationFrame(frame);
  }, [scene, corners.value, shownTheme, matchMedia('(prefers-color-scheme: dark)').matches]);

  const finish = () => {
    if (corners.value.length < 3) return;
    props.onArea({ kind: 'polygon', points: corners.value.map(([lon, lat]) => [normalLon(lon), lat]) }, true);
    corners.value = [];
  };
  const corner = (x: number, y: number) => {
    const { view } = scene;
    const [first] = corners.value;
    if (first !== undefined && corners.value.length > 2) {
      const [fx, fy] = project(view, ...first);
      if (Math.hypot(fx - x, fy - y) < CLOSE_PIXELS) {
        finish();
        return;
      }
    }
    corners.value = [...corners.value, unproject(view, x, y)];
  };
  const drawn = (start: LonLat, to: LonLat): Area =>
    tool === 'circle'
      ? { kind: 'circle', lon: normalLon(start[0]), lat: start[1], metres: distanceBetween(start, to) }
      : boxBetween(start, to);

  const onPointerDown = (event: PointerEvent) => {
    const at = within(canvas.current!, event);
    canvas.current!.setPointerCapture(event.pointerId);
    pointers.current.set(event.pointerId, at);
    drag.current = { ...at, start: unproject(scene.view, at.x, at.y), hasMoved: false };
  };
  const onPointerMove = (event: PointerEvent) => {
    const before = pointers.current.get(event.pointerId);
    if (before === undefined || drag.current === undefined) return;
    const at = within(canvas.current!, event);
    if (Math.hypot(at.x - drag.current.x, at.y - drag.current.y) > CLICK_PIXELS) drag.current.hasMoved = true;
    if (pointers.current.size === 2) {
      const [other] = [...pointers.current].filter(([id]) => id !== event.pointerId);
      const { x, y } = other![1];
      const ratio = Math.hypot(at.x - x, at.y - y) / Math.max(1, Math.hypot(before.x - x, before.y - y));
      onView(zoomedAt(scene.view, (at.x + x) / 2, (at.y + y) / 2, Math.log2(ratio)));
      drag.current.hasMoved = true;
    } else if (drag.current.hasMoved) {
      if (tool === 'box' || tool === 'circle')
        props.onArea(drawn(drag.current.start, unproject(scene.view, at.x, at.y)), false);
      else onView(panned(scene.view, at.x - before.x, at.y - before.y));
    }
    pointers.current.set(event.pointerId, at);
  };
  const onPointerUp = (event: PointerEvent) => {
    const isLast = pointers.current.size === 1;
    pointers.current.delete(event.pointerId);
    const { current } = drag;
    if (!isLast || current === undefined) return;
    drag.current = undefined;
    const at = within(canvas.current!, event);
    if (current.hasMoved) {
      if (tool === 'box' || tool === 'circle')
        props.onArea(drawn(current.start, unproject(scene.view, at.x, at.y)), true);
    } else if (tool === 'polygon') corner(at.x, at.y);
    else if (tool === 'move' || tool === 'origin') {
      const [lon, lat] = unproject(scene.view, at.x, at.y);
      props.onPick([normalLon(lon), lat], at.x, at.y);
    }
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const { view } = scene;
    const [x, y] = [view.width / 2, view.height / 2];
    const keys: Record<string, () => void> = {
      ArrowLeft: () => onView(panned(view, KEY_PIXELS, 0)),
      ArrowRight: () => onView(panned(view, -KEY_PIXELS, 0)),
      ArrowUp: () => onView(panned(view, 0, KEY_PIXELS)),
      ArrowDown: () => onView(panned(view, 0, -KEY_PIXELS)),
      '+': () => onView(zoomedAt(view, x, y, KEY_ZOOM)),
      '=': () => onView(zoomedAt(view, x, y, KEY_ZOOM)),
      '-': () => onView(zoomedAt(view, x, y, -KEY_ZOOM)),
      Enter: () => (tool === 'polygon' && corners.value.length > 2 ? finish() : undefined),
      Escape: () => {
        corners.value = [];
      },
      Backspace: () => {
        corners.value = corners.value.slice(0, -1);
      },
    };
    const act = keys[event.key];
    if (act === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    act();
  };
  return (
    <>
      {/* biome-ignore lint/a11y/noInteractiveElementToNoninteractiveRole: it takes keys, as a map does */}
      <canvas
        ref={canvas}
        class={`map-canvas ${tool}`}
        tabIndex={0}
        role="application"
        aria-roledescription="map"
        aria-label={label}
        onPointerDown={onPointerDown}
        onPointerMove={onPointerMove}
        onPointerUp={onPointerUp}
        onPointerCancel={onPointerUp}
        onDblClick={() => tool === 'polygon' && finish()}
        onKeyDown={onKeyDown}
      />
      {tool === 'polygon' && (
        <p class="map-hint">
          {corners.value.length === 0
            ? 'Click for each corner.'
            : `${corners.value.length} corners. Enter, or a click on the first one, closes it; Escape forgets it.`}
        </p>
      )}
    </>
  );
}

function within(element: Element, event: MouseEvent): { x: number; y: number } {
  const { left, top } = element.getBoundingClientRect();
  return { x: event.clientX - left, y: event.clientY - top };
}
