/** Finding documents on a map, and drawing an area that filters them. */
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import type { Ask } from './search.js';

/** In every notation, on both sides of the date line. */
const PLACES: Record<string, unknown> = {
  paris: { lat: 48.8566, lon: 2.3522 },
  berlin: '52.52,13.405',
  madrid: [-3.7038, 40.4168],
  suva: { lat: -18.1416, lon: 178.4419 },
  apia: '-13.8333,-171.7667',
  quito: '6r',
  nowhere: undefined,
};

/** An index `cities`. */
export async function putCities(ask: Ask): Promise<void> {
  await ask('PUT', '/cities', { mappings: { city: { properties: { place: { type: 'geo_point' } } } } });
  for (const [id, place] of Object.entries(PLACES)) await ask('PUT', `/cities/city/${id}`, { place });
  await ask('POST', '/cities/_refresh');
}

/** Waits for what the map says that it shows. */
export const told = (page: Page, text: string | RegExp) => page.getByRole('status').getByText(text).waitFor();

export const canvas = (page: Page) => page.getByRole('application', { name: /^Map/ });

/** Drags over the map, from pixels of its middle to others. */
export async function drag(page: Page, from: [number, number], to: [number, number]): Promise<void> {
  const box = (await canvas(page).boundingBox())!;
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  await page.mouse.move(x + from[0], y + from[1]);
  await page.mouse.down();
  await page.mouse.move(x + (from[0] + to[0]) / 2, y + (from[1] + to[1]) / 2);
  await page.mouse.move(x + to[0], y + to[1]);
  await page.mouse.up();
}

/** The filter of the area. */
export const filterOf = async (page: Page) =>
  JSON.parse((await page.locator('pre.filter').textContent())!) as object;

/** From `map?index=cities&at=-15,180,4`: on both sides of the date line. */
export async function mapScenario(page: Page): Promise<void> {
  await told(page, '2 documents here.');
  await page.getByRole('button', { name: 'Box', exact: true }).click();
  await drag(page, [-150, -100], [150, 100]);
  await page.getByRole('heading', { name: 'Area: box' }).waitFor();
  const filter = (await filterOf(page)) as {
    geo_bounding_box: { place: { top_left: { lon: number }; bottom_right: { lon: number } } };
  };
  const { top_left: from, bottom_right: to } = filter.geo_bounding_box.place;
  expect(from.lon).toBeGreaterThan(160);
  expect(to.lon).toBeLessThan(-160);
  await told(page, '2 documents here.');
  // Typed: the box ends before the date line.
  await page.getByLabel('Right').fill('179');
  await page.getByLabel('Right').blur();
  await told(page, '1 document here.');
  await page.getByLabel('Only documents within it').uncheck();
  await told(page, '2 documents here.');
  await page.getByRole('link', { name: 'Aggregate these' }).waitFor();
}
