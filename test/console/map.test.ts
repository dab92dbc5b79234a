/** The map: points, cells, shapes and rings are where they belong; areas that are drawn or typed become filters; all by keyboard too. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { canvas, drag, filterOf, mapScenario, putCities, told } from './scenarios/map.js';
import { ConsoleSetup, chromiumFile, isTooWide, PHONE, seriousProblems } from './support/consolePage.js';

const SHAPES = {
  ring: {
    type: 'polygon',
    coordinates: [
      [
        [0, 0],
        [20, 0],
        [20, 20],
        [0, 20],
        [0, 0],
      ],
      [
        [8, 8],
        [12, 8],
        [12, 12],
        [8, 12],
        [8, 8],
      ],
    ],
  },
  way: {
    type: 'linestring',
    coordinates: [
      [30, 0],
      [40, 10],
    ],
  },
  round: { type: 'circle', coordinates: [50, 0], radius: '300km' },
  across: {
    type: 'envelope',
    coordinates: [
      [175, 10],
      [179, -10],
    ],
  },
};

const at = (lat: number, lon: number, zoom: number) => `&at=${lat},${lon},${zoom}`;

/** The colour of the map at a pixel from its middle, as `#rrggbb`. */
function colorAt(page: Page, dx = 0, dy = 0): Promise<string> {
  return page.evaluate(
    ([x, y]) => {
      const map = document.querySelector<HTMLCanvasElement>('.map-canvas')!;
      const { data } = map.getContext('2d')!.getImageData(map.width / 2 + x!, map.height / 2 + y!, 1, 1);
      return `#${[...data.slice(0, 3)].map((part) => part.toString(16).padStart(2, '0')).join('')}`;
    },
    [dx, dy],
  );
}

describe.runIf(chromiumFile !== undefined)('the map', () => {
  let setup: ConsoleSetup;

  beforeAll(async () => {
    setup = await ConsoleSetup.start();
    const point = { properties: { place: { type: 'geo_point' } } };
    await putCities((method, path, body) => setup.request(method, path, body));
    await setup.request('PUT', '/shapes', {
      mappings: { shape: { properties: { area: { type: 'geo_shape', precision: '50km' } } } },
    });
    for (const [id, area] of Object.entries(SHAPES))
      await setup.request('PUT', `/shapes/shape/${id}`, { area });
    await setup.request('PUT', '/many', { mappings: { doc: point } });
    let bulk = '';
    for (let i = 0; i < 3300; i++)
      bulk += `{"index":{}}\n{"place":"${(i % 60) - 30 + 0.5},${(Math.floor(i / 60) % 55) * 2 - 55}"}\n`;
    await setup.request('POST', '/many/doc/_bulk', bulk);
    await setup.request('POST', '/_refresh');
  });
  afterAll(async () => {
    await setup?.close();
  });

  it('shows documents where they are, in every notation, with the list of them', async () => {
    const page = await setup.open(`map?index=cities${at(48.8566, 2.3522, 4)}`);
    await told(page, '3 documents here.');
    const list = page.getByRole('region', { name: 'Documents on the map' });
    for (const name of ['paris', 'berlin', 'madrid']) await list.getByRole('button', { name }).waitFor();
    await expect.poll(() => colorAt(page)).toBe('#a21caf');
    expect(await colorAt(page, 0, 30)).not.toBe('#a21caf');
    await canvas(page).click();
    await page.getByRole('heading', { name: 'paris' }).waitFor();
    await page.getByText('48.8566', { exact: true }).waitFor();
    expect(setup.problems).toEqual([]);
  });

  it('shows all of the world at first', async () => {
    const page = await setup.open('map?index=cities');
    await told(page, '6 documents here.');
  });

  it('shows cells where there are many, finer ones nearer by, and documents at last', async () => {
    const page = await setup.open('map?index=many');
    await told(page, /3,300 documents here, in \d+ cells/);
    await page.getByRole('region', { name: 'Cells of the grid' }).getByRole('button').first().click();
    await told(page, /^\d{1,3} documents here\.$/);
    await page.getByRole('button', { name: 'World' }).click();
    await told(page, /3,300 documents here/);
  });

  it('is moved and zoomed by keys', async () => {
    const page = await setup.open(`map?index=cities${at(0, 0, 3)}`);
    await told(page, /documents? here/);
    await canvas(page).focus();
    await page.keyboard.press('+');
    await page.keyboard.press('ArrowRight');
    await page.waitForURL(/at=0\.00000%2C9\.94/);
    await page.waitForURL(/%2C3\.50/);
    await canvas(page).hover();
    await page.mouse.wheel(0, -300);
    await page.waitForURL(/%2C4\.50/);
  });

  it('makes a filter of a box that is drawn, over the date line too', async () => {
    const page = await setup.open(`map?index=cities${at(-15, 180, 4)}`);
    await mapScenario(page);
  });

  it('makes filters of circles and polygons', async () => {
    const page = await setup.open(`map?index=cities${at(47, 5, 4)}`);
    await told(page, '3 documents here.');
    await page.getByRole('button', { name: 'Circle', exact: true }).click();
    await drag(page, [-20, -20], [40, -20]);
    await page.getByRole('heading', { name: 'Area: circle' }).waitFor();
    expect(Object.keys(await filterOf(page))).toEqual(['geo_distance']);
    await told(page, '1 document here.');
    await page.getByRole('button', { name: 'Remove' }).click();
    await told(page, '3 documents here.');
    await page.getByRole('button', { name: 'Polygon', exact: true }).click();
    const box = (await canvas(page).boundingBox())!;
    for (const [x, y] of [
      [-150, 100],
      [-150, -130],
      [250, -130],
    ] as const)
      await canvas(page).click({ position: { x: box.width / 2 + x, y: box.height / 2 + y } });
    await page.getByText('3 corners.').waitFor();
    await canvas(page).press('Enter');
    await page.getByRole('heading', { name: 'Area: polygon' }).waitFor();
    expect(Object.keys(await filterOf(page))).toEqual(['geo_polygon']);
    await page.getByLabel('Corners: latitude, longitude').fill('50, 10\n56, 10\n56, 16\n50, 16');
    await page.getByLabel('Corners: latitude, longitude').blur();
    await told(page, '1 document here.');
    await page.getByLabel('Corners: latitude, longitude').fill('10, 170\n10, -170\n-10, 180');
    await page.getByLabel('Corners: latitude, longitude').blur();
    await page.getByRole('alert').getByText('can’t cross the date line').first().waitFor();
  });

  it('needs no mouse for an area', async () => {
    const page = await setup.open(`map?index=cities${at(48, 8, 4)}`);
    await told(page, '3 documents here.');
    await page.getByRole('button', { name: 'circle', exact: true }).press('Enter');
    await page.getByLabel('Latitude').fill('52.5');
    await page.getByLabel('Longitude').fill('13.4');
    await page.getByLabel('Metres').fill('50000');
    await page.getByLabel('Metres').press('Tab');
    await told(page, '1 document here.');
  });

  it('counts documents in rings around a place', async () => {
    const rings = encodeURIComponent('{"origin":[2.3522,48.8566],"distances":"100km, 1000 km, 1200km"}');
    const page = await setup.open(`map?index=cities${at(48.8, 2.3, 4)}&rings=${rings}`);
    await page.getByRole('row', { name: '0m to 100km 1' }).waitFor();
    await page.getByRole('row', { name: '100km to 1000km 1' }).waitFor();
    await page.getByRole('row', { name: '1000km to 1200km 1' }).waitFor();
    await page.getByLabel('Distances').fill('1 parsec');
    await page.getByText('Distances are written 10km').waitFor();
  });

  it('draws shapes, holes left out', async () => {
    const page = await setup.open(`map?index=shapes${at(10, 10, 5)}`);
    await told(page, '2 documents here.');
    const list = page.getByRole('region', { name: 'Documents on the map' });
    await list.getByRole('cell', { name: 'Polygon' }).waitFor();
    // Within the hole there is land; beside it, the shape lies on the land.
    const [hole, within] = [await colorAt(page, 0, 5), await colorAt(page, 100, 5)];
    expect(within).not.toBe(hole);
    await page.getByRole('button', { name: 'World' }).click();
    await told(page, '4 documents here.');
  });

  it('says what an index lacks, and what is wrong with a query', async () => {
    await setup.request('PUT', '/plain/doc/1?refresh=true', { a: 1 });
    const page = await setup.open('map?index=plain');
    await page.getByText('No field of the index is a geo_point or a geo_shape.').waitFor();
    await page.goto(
      `${page.url().split('#')[0]}#/map?index=cities&q=${encodeURIComponent('{"nothing":{}}')}`,
    );
    await page.getByRole('alert').getByText('No query registered for [nothing]').first().waitFor();
  });

  it.each(['light', 'dark'] as const)('has nothing serious that keeps people out, %s', async (theme) => {
    const area = encodeURIComponent('{"kind":"box","left":0,"top":60,"right":20,"bottom":40}');
    const page = await setup.open(`map?index=cities&area=${area}`, { theme });
    await told(page, '2 documents here.');
    await page.getByRole('button', { name: 'paris' }).click();
    await page.getByRole('heading', { name: 'paris' }).waitFor();
    expect(await seriousProblems(page)).toEqual([]);
  });

  it('fits on a phone', async () => {
    const page = await setup.open('map?index=many', { size: PHONE });
    await told(page, /3,300 documents here/);
    expect(await isTooWide(page)).toBe(false);
    await page.getByRole('button', { name: 'box', exact: true }).click();
    await page.getByRole('heading', { name: 'Area: box' }).waitFor();
    expect(await isTooWide(page)).toBe(false);
    expect(setup.problems).toEqual([]);
  });
});
